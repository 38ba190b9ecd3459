#include "output/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { LINKS_MAXIMUM = 40 }; /* as the kernel's */

/* Go to the directory of what PATH names, and note the last part of PATH. */
static int enter(struct destination *destination, char *path)
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

/* Anybody may have put a file into a sticky directory that others may write to: trust only files of
 * this user and of the directory's owner. */
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

/* Is the name one of /proc's links, which lead to open files and have no path to follow? */
static bool is_stream(const struct destination *destination)
{
    struct statfs about;

    return fstatfs(destination->directory, &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
}

/* The end of the way: what is there? */
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

/* PATH becomes where the link leads to. */
static int read_link(const struct destination *destination, char path[PATH_MAX])
{
    ssize_t length = readlinkat(destination->directory, destination->name, path, PATH_MAX);

    if (length < 0 || length == PATH_MAX)
        return length < 0 ? -errno : -ENAMETOOLONG;
    path[length] = '\0';
    return 0;
}

/* Look at what has the name. *LINK: it leads on, to PATH. */
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
        code = links > LINKS_MAXIMUM ? -ELOOP : enter(destination, left);
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
                               : strerror(-code);
}
