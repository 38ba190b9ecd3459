#include "output/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <sys/random.h>
#include <unistd.h>

/* Beginning */

/* The link in /proc by which a file without a name is given one. */
static void link_to(int fd, char path[32])
{
    snprintf(path, 32, "/proc/self/fd/%d", fd);
}

static int open_unnamed(const struct destination *destination, mode_t mode)
{
    int fd = openat(destination->directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    char link[32];

    if (fd < 0)
        return -errno;
    link_to(fd, link);
    if (access(link, F_OK) == 0)
        return fd;
    close(fd);
    return -ENOTSUP;
}

static int choose_name(struct replacement *replacement)
{
    uint64_t random;

    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return -EIO;
    snprintf(replacement->name, sizeof replacement->name, ".%.200s.%016" PRIx64,
             replacement->destination->name, random);
    return 0;
}

static int open_named(struct replacement *replacement, mode_t mode)
{
    int fd = choose_name(replacement);

    if (fd)
        return fd;
    fd = openat(replacement->destination->directory, replacement->name,
                O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd >= 0)
        return fd;
    replacement->name[0] = '\0';
    return -errno;
}

int replacement_begin(struct replacement *replacement, const struct destination *destination)
{
    mode_t mode = destination->exists ? destination->status.st_mode & 0600 : 0666;
    int fd, code;

    *replacement = (struct replacement){.destination = destination};
    fd = open_unnamed(destination, mode);
    if (fd < 0)
        fd = open_named(replacement, mode);
    if (fd < 0)
        return fd;
    replacement->out = fdopen(fd, "w");
    if (replacement->out)
        return 0;
    code = -errno;
    close(fd);
    replacement_abandon(replacement);
    return code;
}

/* Ending */

/* Nobody may read it who could not read what it replaces. */
static int take_over_rights(const struct replacement *replacement, int fd)
{
    const struct stat *old = &replacement->destination->status;
    mode_t mode = old->st_mode & 0777;
    struct stat own;

    if (!replacement->destination->exists)
        return 0;
    if (fstat(fd, &own) != 0)
        return -errno;
    if ((own.st_uid != old->st_uid || own.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) != 0 && own.st_gid != old->st_gid &&
        fchown(fd, (uid_t)-1, old->st_gid) != 0)
        mode &= ~(mode_t)S_IRWXG;
    return fchmod(fd, mode) == 0 ? 0 : -errno;
}

/* Under its own name at once if nothing has that name, else under another name first. */
static int give_name(struct replacement *replacement, int fd, bool *in_place)
{
    const struct destination *destination = replacement->destination;
    char link[32];
    int code;

    link_to(fd, link);
    *in_place = !destination->exists && linkat(AT_FDCWD, link, destination->directory,
                                               destination->name, AT_SYMLINK_FOLLOW) == 0;
    if (*in_place)
        return 0;
    code = choose_name(replacement);
    if (code == 0 &&
        linkat(AT_FDCWD, link, destination->directory, replacement->name, AT_SYMLINK_FOLLOW) != 0)
        code = -errno;
    if (code)
        replacement->name[0] = '\0';
    return code;
}

static int put_in_place(struct replacement *replacement, int fd)
{
    int directory = replacement->destination->directory;
    bool in_place = false;
    int code = 0;

    if (!replacement->name[0])
        code = give_name(replacement, fd, &in_place);
    if (code == 0 && !in_place &&
        renameat(directory, replacement->name, directory, replacement->destination->name) != 0)
        code = -errno;
    if (code == 0)
        replacement->name[0] = '\0';
    return code;
}

int replacement_commit(struct replacement *replacement)
{
    int fd = fileno(replacement->out), code = 0;

    if (fflush(replacement->out) != 0)
        code = -errno;
    if (code == 0)
        code = take_over_rights(replacement, fd);
    if (code == 0 && fsync(fd) != 0) /* it may report only now that the disk is full, as NFS does */
        code = -errno;
    if (code == 0)
        code = put_in_place(replacement, fd);
    replacement_abandon(replacement);
    return code;
}

void replacement_abandon(struct replacement *replacement)
{
    if (replacement->out)
        fclose(replacement->out);
    if (replacement->name[0])
        unlinkat(replacement->destination->directory, replacement->name, 0);
    replacement->out = NULL;
    replacement->name[0] = '\0';
}
