/* Giving up the superuser's rights, which the server needs for a port below 1024 at most. */
#ifndef NFSBENCH_SERVER_PRIVILEGES_H
#define NFSBENCH_SERVER_PRIVILEGES_H

#include <sys/types.h>

#include "common/error.h"

/* The user to continue as. Zeroed: no change. */
struct privileges {
    char name[64]; /* of the user */
    uid_t uid;
    gid_t gid;
};

/* Look NAME up, a user's name or number, who must not be the superuser; only the superuser can
 * become another. 0, or -EINVAL or -EPERM with ERROR set (ERROR_USAGE). */
int privileges_find(struct privileges *privileges, const char *name, struct error *error);

/* Become that user, with that user's groups and no others, permanently: the whole process, whatever
 * it may execute. 0, or a negative errno with ERROR set. */
int privileges_drop(const struct privileges *privileges, struct error *error);

#endif
