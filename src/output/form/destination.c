#include "output/form/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
    LINKS_MAXIMUM = 40,     /* maximum number of symbolic links to follow, as in the kernel */
    NAME_BESIDE_SIZE = 232, /* temporary name: ".", up to 200 bytes of NAME, ".", 16 digits */
};

/* Replace DESTINATION's directory by the directory of PATH, which is relative to the old one, and
 * its name by the last component of PATH. Changes PATH. */
static int enter_directory(struct destination *destination, char *path)
{
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int from = destination->directory, directory;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (slash && !*name))
        return -EISDIR;
    if (!*name)
        return -ENOENT;
    if (strlen(name) > NAME_MAX)
        return -ENAMETOOLONG;
    memcpy(destination->name, name, strlen(name) + 1);
    *name = '\0';
    directory =
        openat(from < 0 ? AT_FDCWD : from, slash ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return -errno;
    destination_close(destination);
    destination->directory = directory;
    return 0;
}

/* Refuse the file of another user in a sticky directory that its group or all users may write to.
 * A file of the directory's owner is accepted. */
static int check_owner(const struct destination *destination)
{
    uid_t owner = destination->status.st_uid;
    struct stat around;

    if (fstat(destination->directory, &around) != 0)
        return -errno;
    if ((around.st_mode & S_ISVTX) && (around.st_mode & (S_IWOTH | S_IWGRP)) &&
        owner != geteuid() && owner != around.st_uid)
        return -EOWNERDEAD;
    return 0;
}

/* Return whether DESTINATION is in /proc, where links lead to open files that may have no path. */
static bool is_stream(const struct destination *destination)
{
    struct statfs about;

    return fstatfs(destination->directory, &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
}

/* Set DESTINATION's kind to DESTINATION_DEVICE if its status is that of a device or a pipe, and it
 * is not a stream. Refuses directories and sockets. */
static int classify(struct destination *destination)
{
    if (S_ISDIR(destination->status.st_mode))
        return -EISDIR;
    if (S_ISSOCK(destination->status.st_mode))
        return -ENXIO;
    if (destination->kind == DESTINATION_FILE && !S_ISREG(destination->status.st_mode))
        destination->kind = DESTINATION_DEVICE;
    return 0;
}

static int look(struct destination *destination, int flags)
{
    return fstatat(destination->directory, destination->name, &destination->status, flags) == 0
               ? 0
               : -errno;
}

static int read_link(const struct destination *destination, char path[PATH_MAX])
{
    ssize_t length = readlinkat(destination->directory, destination->name, path, PATH_MAX);

    if (length < 0 || length == PATH_MAX)
        return length < 0 ? -errno : -ENAMETOOLONG;
    path[length] = '\0';
    return 0;
}

/* Set DESTINATION's status and kind from the file NAME in its directory. If the file is a link to
 * follow, set *LINK to true and PATH to the link's target. */
static int examine(struct destination *destination, char path[PATH_MAX], bool *link)
{
    int code = look(destination, AT_SYMLINK_NOFOLLOW);

    destination->exists = code == 0;
    if (code)
        return code == -ENOENT ? 0 : code;
    code = check_owner(destination);
    if (code || !S_ISLNK(destination->status.st_mode))
        return code ? code : classify(destination);
    if (is_stream(destination)) {
        destination->kind = DESTINATION_STREAM;
        code = look(destination, 0);
        return code ? code : classify(destination);
    }
    *link = true;
    return read_link(destination, path);
}

int destination_open(struct destination *destination, const char *path)
{
    char left[PATH_MAX];
    bool link = true;
    int code = 0;

    *destination = (struct destination){.directory = -1};
    if (strlen(path) >= sizeof left)
        return -ENAMETOOLONG;
    memcpy(left, path, strlen(path) + 1);
    for (int links = 0; code == 0 && link; links++) {
        link = false;
        code = links > LINKS_MAXIMUM ? -ELOOP : enter_directory(destination, left);
        if (code == 0)
            code = examine(destination, left, &link);
    }
    return code;
}

void destination_close(struct destination *destination)
{
    if (destination->directory >= 0)
        close(destination->directory);
    destination->directory = -1;
}

bool destination_has_data(const char *path)
{
    struct destination there;
    int code = destination_open(&there, path);

    destination_close(&there);
    return code == 0 && there.kind == DESTINATION_FILE && there.exists && there.status.st_size > 0;
}

int destination_check(const struct destination *destination)
{
    int flags = AT_EACCESS | (destination->kind == DESTINATION_STREAM ? 0 : AT_SYMLINK_NOFOLLOW);

    if (destination->exists &&
        faccessat(destination->directory, destination->name, W_OK, flags) != 0)
        return -errno;
    if (destination->kind == DESTINATION_FILE &&
        faccessat(destination->directory, ".", W_OK | X_OK, AT_EACCESS) != 0)
        return -errno;
    return 0;
}

const char *destination_error(int code)
{
    return code == -EOWNERDEAD ? "it is another user's, in a directory that all may write to"
                               : error_of_write(code);
}

FILE *destination_write_to(const struct destination *destination)
{
    static const int flags[] = {[DESTINATION_FILE] = O_CREAT | O_TRUNC | O_NOFOLLOW,
                                [DESTINATION_DEVICE] = O_NOFOLLOW,
                                [DESTINATION_STREAM] = O_APPEND};
    int fd = openat(destination->directory, destination->name,
                    O_WRONLY | O_CLOEXEC | O_NOCTTY | flags[destination->kind], 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (fd >= 0 && !file)
        close(fd);
    return file;
}

int destination_print(file_writer writer, const void *data, FILE *file)
{
    int code;

    errno = 0;
    code = writer(data, file);
    /* errno is more specific than the writer's code */
    if (ferror(file) || (code == 0 && fflush(file) != 0))
        code = errno ? -errno : -EIO;
    return code;
}

static int write_in_place(const struct destination *destination, file_writer writer,
                          const void *data)
{
    FILE *file = destination_write_to(destination);
    int code = file ? destination_print(writer, data, file) : -errno;

    if (file && fclose(file) != 0 && code == 0)
        code = -errno;
    return code;
}

static int open_beside(const struct destination *destination, char name[NAME_BESIDE_SIZE],
                       FILE **file)
{
    mode_t mode = destination->exists ? destination->status.st_mode & 0600 : 0666;
    uint64_t random;
    int fd, code;

    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return -EIO;
    snprintf(name, NAME_BESIDE_SIZE, ".%.200s.%016" PRIx64, destination->name, random);
    fd = openat(destination->directory, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC,
                mode);
    *file = fd < 0 ? NULL : fdopen(fd, "w");
    code = *file ? 0 : -errno;
    if (fd >= 0 && code) {
        close(fd);
        unlinkat(destination->directory, name, 0);
    }
    return code;
}

/* Give FD the mode of the old file and, if allowed, its owner and group. If the group cannot be
 * set, remove the group's rights, so that nobody gains access. */
static int take_over_rights(const struct destination *destination, int fd)
{
    const struct stat *old = &destination->status;
    mode_t mode = old->st_mode & 0777;
    struct stat own;

    if (!destination->exists)
        return 0;
    if (fstat(fd, &own) != 0)
        return -errno;
    if ((own.st_uid != old->st_uid || own.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) != 0 && own.st_gid != old->st_gid &&
        fchown(fd, (uid_t)-1, old->st_gid) != 0)
        mode &= ~(mode_t)S_IRWXG;
    return fchmod(fd, mode) == 0 ? 0 : -errno;
}

/* Write DATA to FILE, a temporary file for DESTINATION, and close it. */
static int write_temporary(const struct destination *destination, file_writer writer,
                           const void *data, FILE *file)
{
    int code = destination_print(writer, data, file);

    if (code == 0)
        code = take_over_rights(destination, fileno(file));
    if (code == 0 && fsync(fileno(file)) != 0) /* NFS may report a full disk only here */
        code = -errno;
    fclose(file);
    return code;
}

static int replace(const struct destination *destination, file_writer writer, const void *data)
{
    const int directory = destination->directory;
    char name[NAME_BESIDE_SIZE];
    FILE *file;
    int code = open_beside(destination, name, &file), failed = 0;

    if (code)
        return code;
    code = write_temporary(destination, writer, data, file);
    if (code == 0 && renameat(directory, name, directory, destination->name) != 0)
        code = failed = -errno;
    if (code)
        unlinkat(directory, name, 0);
    /* If the kernel refuses the rename, write in place, so that the result is not lost. */
    if (destination->exists && (failed == -EBUSY || failed == -EPERM || failed == -EACCES))
        code = write_in_place(destination, writer, data);
    return code;
}

int destination_write(const struct destination *destination, file_writer writer, const void *data)
{
    return (destination->kind == DESTINATION_FILE ? replace : write_in_place)(destination, writer,
                                                                              data);
}
