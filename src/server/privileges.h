/* Giving up the superuser's rights, which the server needs at most to bind a port below 1024. */
#ifndef NFSBENCH_SERVER_PRIVILEGES_H
#define NFSBENCH_SERVER_PRIVILEGES_H

#include <sys/types.h>

#include "common/error.h"

/* The user to become. Zeroed: no change. */
struct privileges {
    char name[64]; /* of the user */
    uid_t uid;
    gid_t gid;
};

/* Look up NAME, the name or number of a user other than the superuser; only the superuser can
 * become another user. 0, or -EINVAL or -EPERM with ERROR set (ERROR_USAGE). */
int privileges_find(struct privileges *privileges, const char *name, struct error *error);

/* Become that user, with that user's groups and no others, permanently: for the whole process and
 * whatever it executes. 0, or a negative errno with ERROR set. */
int privileges_drop(const struct privileges *privileges, struct error *error);

#endif
