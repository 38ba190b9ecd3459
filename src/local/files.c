#include "local/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/deadline.h"
#include "common/random.h"

enum {
    FILE_NAME_SIZE = 32,
    WRITE_AT_ONCE = 1 << 20,
    TRIES = 20, /* maximum of repeated attempts to remove a directory */
    TRY_NS = 50000000,
    SYNC_AFTER = 64 << 20, /* bytes between syncs; limits the delay of Ctrl-C */
    WINDOW = 64 << 20,     /* bytes of a file that are mapped at once */
};

#define OPTION "--baseline-dir"

static int refuse_directory(const struct local_directory *directory, int code, struct error *error)
{
    return error_set(error, ERROR_USAGE, code, OPTION " %.300s: %s", directory->options.directory,
                     strerror(-code));
}

/* The directory */

static void name_file(char name[FILE_NAME_SIZE], uint32_t number)
{
    snprintf(name, FILE_NAME_SIZE, "file-%08" PRIu32, number);
}

/* Return whether FD is the directory that the run made: it has INODE, is on TARGET's file system,
 * and belongs to this user. */
static bool is_own(int target, int fd, uint64_t inode)
{
    struct stat around, own;

    return fstat(target, &around) == 0 && fstat(fd, &own) == 0 && own.st_ino == inode &&
           own.st_dev == around.st_dev && own.st_uid == geteuid();
}

/* Return whether NAME in the directory OWN is a regular file of this user. */
static bool is_own_file(int own, const char *name)
{
    struct stat around, file;

    return fstat(own, &around) == 0 && fstatat(own, name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(file.st_mode) && file.st_uid == geteuid() && file.st_dev == around.st_dev;
}

/* Remove file-00000000, file-00000001 and so on up to the first name that doesn't exist. Returns
 * -EPERM at a name that isn't a file of this user. */
static int remove_files(int own)
{
    char name[FILE_NAME_SIZE];

    for (uint32_t i = 0;; i++) {
        name_file(name, i);
        if (faccessat(own, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
            return errno == ENOENT ? 0 : -errno;
        if (!is_own_file(own, name))
            return -EPERM;
        if (unlinkat(own, name, 0) != 0)
            return -errno;
    }
}

/* Remove the files in the directory OWN, whose inode is INODE, and then OWN itself, by its name. If
 * another directory (-ESTALE) or none (-ENOENT) has the name, only the files are removed. A
 * directory that gets the name after its inode was compared is removed if it is empty. */
static int remove_own(const struct local_directory *directory, int own, uint64_t inode)
{
    const char *name = directory->options.name;
    int there, code = remove_files(own);
    bool same;

    if (code)
        return code;
    there = openat(directory->target, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (there < 0)
        return -errno;
    same = is_own(directory->target, there, inode);
    close(there);
    if (!same)
        return -ESTALE;
    /* On NFS, a removed file that a killed process has open exists until the process has gone. */
    for (int i = 0; (code = unlinkat(directory->target, name, AT_REMOVEDIR)) != 0 &&
                    errno == ENOTEMPTY && i < TRIES;
         i++)
        deadline_pause(TRY_NS);
    return code == 0 ? 0 : -errno;
}

/* Clean up in the guard process. It has no descriptor of the directory, so it opens the directory
 * by name, and checks that its inode is INODE. Does nothing if the directory is gone. */
static void remove_left(void *context, uint64_t inode)
{
    const struct local_directory *directory = context;
    int own = openat(directory->target, directory->options.name,
                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (own >= 0 && is_own(directory->target, own, inode))
        remove_own(directory, own, inode);
}

int local_directory_open(struct local_directory *directory, const struct local_options *options,
                         struct error *error)
{
    struct statx status;
    int code;

    *directory = (struct local_directory){.options = *options, .own = -1};
    directory->target = open(options->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory->target < 0)
        return refuse_directory(directory, -errno, error);
    if (statx(directory->target, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) != 0)
        return refuse_directory(directory, -errno, error);
    directory->mount_id = status.stx_mnt_id;
    code = local_guard_start(&directory->guard, remove_left, directory);
    return code ? refuse_directory(directory, code, error) : 0;
}

int local_directory_make(struct local_directory *directory, struct error *error)
{
    const char *name = directory->options.name;
    struct stat status;
    int code;

    if (mkdirat(directory->target, name, 0700) != 0)
        return refuse_directory(directory, -errno, error);
    directory->made = true;
    directory->own =
        openat(directory->target, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory->own < 0 || fstat(directory->own, &status) != 0)
        return refuse_directory(directory, -errno, error);
    directory->inode = status.st_ino;
    /* Detect a directory, such as another user's, that has replaced the new one. */
    if (status.st_uid != geteuid() || (status.st_mode & 07777) != 0700)
        return refuse_directory(directory, -ESTALE, error);
    code = local_guard_arm(&directory->guard, directory->inode);
    return code ? refuse_directory(directory, code, error) : 0;
}

/* Set ERROR to what is left of the directory after the failure CODE. Returns a negative errno. */
static int describe_left(const struct local_directory *directory, int code, struct error *error)
{
    const char *in = directory->options.directory, *name = directory->options.name;

    if (code == -ESTALE || code == -ENOENT)
        return error_set(error, ERROR_FAILED, -ESTALE,
                         "%.300s/%s: the run's directory was renamed or replaced; what has the "
                         "name now is left as it is, and the run's own, now empty, is elsewhere",
                         in, name);
    if (code == -EPERM)
        return error_set(error, ERROR_FAILED, code,
                         "%.300s/%s has files that the run has not made; it is left to you", in,
                         name);
    return error_set(error, ERROR_FAILED, code, "removing %.300s/%s: %s; remove it with rm -r", in,
                     name, strerror(-code));
}

int local_directory_close(struct local_directory *directory, struct error *error)
{
    int code = 0;

    if (directory->made && directory->inode)
        code = remove_own(directory, directory->own, directory->inode);
    else if (directory->made) /* the directory is empty, because it could not be opened */
        code = unlinkat(directory->target, directory->options.name, AT_REMOVEDIR) ? -errno : 0;
    if (code)
        code = describe_left(directory, code, error);
    directory->made = false;
    local_guard_end(&directory->guard);
    if (directory->own >= 0)
        close(directory->own);
    if (directory->target >= 0)
        close(directory->target);
    directory->own = directory->target = -1;
    return code;
}

/* The files */

int local_directory_check_room(const struct local_directory *directory, size_t count, uint64_t size,
                               struct error *error)
{
    struct statvfs status;
    double needed = (double)count * (double)size, left;

    if (fstatvfs(directory->own, &status) != 0)
        return refuse_directory(directory, -errno, error);
    left = (double)status.f_bavail * (double)status.f_frsize;
    if (needed <= left)
        return 0;
    return error_set(error, ERROR_USAGE, -ENOSPC,
                     OPTION " %.300s: %.0f bytes are needed, as the server's files have, and %.0f "
                            "are free",
                     directory->options.directory, needed, left);
}

static bool is_stopped(const struct local_directory *directory)
{
    return directory->options.stop && *directory->options.stop;
}

/* Write and sync SIZE bytes of random data, which can be neither compressed nor deduplicated. */
static int write_random_data(const struct local_directory *directory, int fd, uint64_t size,
                             uint8_t *buffer, struct random *random)
{
    for (uint64_t offset = 0; offset < size;) {
        uint64_t left = size - offset;
        ssize_t written;

        if (is_stopped(directory))
            return -EINTR;
        for (size_t i = 0; i < WRITE_AT_ONCE; i += sizeof(uint64_t)) {
            uint64_t word = random_next(random);

            memcpy(buffer + i, &word, sizeof word);
        }
        written = pwrite(fd, buffer, left < WRITE_AT_ONCE ? left : WRITE_AT_ONCE, (off_t)offset);
        if (written < 0)
            return -errno;
        offset += (uint64_t)written;
        if (offset % SYNC_AFTER == 0 && fdatasync(fd) != 0)
            return -errno;
    }
    return fsync(fd) == 0 ? 0 : -errno;
}

static int describe_failed_file(const struct local_directory *directory, int code,
                                struct error *error)
{
    if (code == -EINTR)
        return error_set(error, ERROR_FAILED, code, "interrupted");
    return error_set(error, ERROR_FAILED, code, OPTION " %.300s: making a file: %s",
                     directory->options.directory, strerror(-code));
}

/* Make a file of SIZE bytes, written through the page cache. For O_DIRECT, then drop its pages and
 * open it again. Returns a descriptor for the calls, or a negative errno with ERROR set. */
static int make_file(struct local_directory *directory, uint64_t size, uint8_t *buffer,
                     struct random *random, struct error *error)
{
    bool direct = directory->options.direct;
    char name[FILE_NAME_SIZE];
    int fd, code;

    name_file(name, directory->files);
    fd = openat(directory->own, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return describe_failed_file(directory, -errno, error);
    directory->files++;
    code = write_random_data(directory, fd, size, buffer, random);
    if (code == 0 && direct)
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    if (code == 0 && !direct)
        return fd;
    close(fd);
    if (code)
        return describe_failed_file(directory, code, error);
    fd = openat(directory->own, name, O_RDWR | O_DIRECT | O_CLOEXEC);
    if (fd >= 0)
        return fd;
    return error_set(error, ERROR_USAGE, -errno,
                     "--baseline-direct: the file system of %.300s has no O_DIRECT: %s",
                     directory->options.directory, strerror(errno));
}

int local_files_make(struct local_files *files, struct local_directory *directory, size_t count,
                     uint64_t size, struct error *error)
{
    uint8_t *buffer = malloc(WRITE_AT_ONCE);
    struct random random;
    int code = 0;

    *files = (struct local_files){.size = size};
    files->descriptors = calloc(count, sizeof *files->descriptors);
    random_seed(&random, directory->files);
    if (!files->descriptors || !buffer)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu files", count);
    while (code == 0 && files->count < count) {
        int fd = make_file(directory, size, buffer, &random, error);

        if (fd < 0)
            code = fd;
        else
            files->descriptors[files->count++] = fd;
    }
    free(buffer);
    return code;
}

void local_files_close(struct local_files *files)
{
    for (size_t i = 0; files->descriptors && i < files->count; i++)
        close(files->descriptors[i]);
    free(files->descriptors);
    files->descriptors = NULL;
}

/* Return the share of the LENGTH bytes at OFFSET that is in the page cache; NAN if unknown. */
static double window_cached(int fd, uint64_t offset, size_t length)
{
    static unsigned char resident[WINDOW / 4096];
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (length + page - 1) / page, count = 0;
    void *mapped = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)offset);

    if (mapped == MAP_FAILED)
        return NAN;
    if (mincore(mapped, length, resident) != 0)
        pages = 0;
    munmap(mapped, length);
    for (size_t i = 0; i < pages; i++)
        count += resident[i] & 1;
    return pages ? (double)count / (double)pages : NAN;
}

double local_files_cached(const struct local_files *files)
{
    double bytes = 0;

    for (size_t i = 0; i < files->count; i++)
        for (uint64_t offset = 0; offset < files->size; offset += WINDOW) {
            uint64_t left = files->size - offset;
            size_t length = left < WINDOW ? (size_t)left : WINDOW;

            bytes += (double)length * window_cached(files->descriptors[i], offset, length);
        }
    return files->size ? bytes / ((double)files->count * (double)files->size) : NAN;
}
