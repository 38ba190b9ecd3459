#include "serve/server.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct passwd *look_up(const char *name)
{
    const struct passwd *found = getpwnam(name);
    char *end;
    unsigned long number;

    if (found || *name < '0' || *name > '9')
        return found;
    errno = 0;
    number = strtoul(name, &end, 10);
    return errno == 0 && *end == '\0' && number < UINT32_MAX ? getpwuid((uid_t)number) : NULL;
}

int privileges_find(struct privileges *privileges, const char *name, struct error *error)
{
    const struct passwd *found = look_up(name);

    if (!found)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--user '%.60s': this system has no such user; try nobody", name);
    if (found->pw_uid == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--user '%.60s' is the superuser, who keeps all privileges; try nobody",
                         name);
    if (geteuid() != 0)
        return error_set(error, ERROR_USAGE, -EPERM,
                         "--user '%.60s': only root can become another user; leave out --user",
                         name);
    privileges->uid = found->pw_uid;
    privileges->gid = found->pw_gid;
    if ((size_t)snprintf(privileges->name, sizeof privileges->name, "%s", found->pw_name) >=
        sizeof privileges->name)
        return error_set(error, ERROR_USAGE, -EINVAL, "--user '%.60s': the name is too long", name);
    return 0;
}

static int become(const struct privileges *privileges)
{
    if (initgroups(privileges->name, privileges->gid) != 0 ||
        setresgid(privileges->gid, privileges->gid, privileges->gid) != 0 ||
        setresuid(privileges->uid, privileges->uid, privileges->uid) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -errno;
    return setresuid(0, 0, 0) == 0 ? -EPERM : 0; /* becoming root again must be impossible */
}

int privileges_drop(const struct privileges *privileges, struct error *error)
{
    int code = privileges->name[0] ? become(privileges) : 0;

    return code ? error_set(error, ERROR_FAILED, code, "becoming user %.60s: %s", privileges->name,
                            strerror(-code))
                : 0;
}
