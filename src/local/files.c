#include "local/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/random.h"

enum {
    FILE_NAME_SIZE = 32,
    WRITE_AT_ONCE = 1 << 20,
    SYNC_AFTER = 64 << 20, /* so that Ctrl-C waits for no more than these */
    WINDOW = 64 << 20,     /* of a file, whose pages are looked at together */
};

#define OPTION "--baseline-dir"

static int refuse(const struct local_directory *directory, int code, struct error *error)
{
    return error_set(error, ERROR_USAGE, code, OPTION " %.300s: %s", directory->options.directory,
                     strerror(-code));
}

/* The directory */

static void name_file(char name[FILE_NAME_SIZE], uint32_t number)
{
    snprintf(name, FILE_NAME_SIZE, "file-%08" PRIu32, number);
}

/* Remove the files, the last of which may be incomplete, and then the directory. */
static int remove_own(int target, int own, const char *name, uint32_t files)
{
    char file[FILE_NAME_SIZE];
    int code = 0;

    for (uint32_t i = 0; i < files; i++) {
        name_file(file, i);
        if (unlinkat(own, file, 0) != 0 && errno != ENOENT && code == 0)
            code = -errno;
    }
    if (unlinkat(target, name, AT_REMOVEDIR) != 0 && code == 0)
        code = -errno;
    return code;
}

/* In the guard's process, which has not seen the files being made. There is none if this process
 * has removed them. */
static void remove_left(void *context)
{
    const struct local_directory *directory = context;
    char file[FILE_NAME_SIZE];
    uint32_t files = 0;
    int own = openat(directory->target, directory->options.name,
                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (own < 0)
        return;
    for (name_file(file, 0); faccessat(own, file, F_OK, 0) == 0; name_file(file, ++files))
        ;
    remove_own(directory->target, own, directory->options.name, files);
}

int local_directory_open(struct local_directory *directory, const struct local_options *options,
                         struct error *error)
{
    struct statfs file_system;
    struct statx status;
    int code;

    *directory = (struct local_directory){.options = *options, .own = -1};
    directory->target = open(options->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory->target < 0)
        return refuse(directory, -errno, error);
    if (fstatfs(directory->target, &file_system) != 0 ||
        statx(directory->target, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) != 0)
        return refuse(directory, -errno, error);
    directory->mount_id = status.stx_mnt_id;
    if (file_system.f_type == NFS_SUPER_MAGIC)
        return error_set(error, ERROR_USAGE, -EXDEV,
                         OPTION " %.300s: it is on NFS itself; name a directory on a local disk",
                         options->directory);
    code = local_guard_start(&directory->guard, remove_left, directory);
    return code ? refuse(directory, code, error) : 0;
}

int local_directory_make(struct local_directory *directory, struct error *error)
{
    const char *name = directory->options.name;

    if (mkdirat(directory->target, name, 0700) != 0)
        return refuse(directory, -errno, error);
    directory->made = true;
    local_guard_arm(&directory->guard);
    directory->own =
        openat(directory->target, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return directory->own < 0 ? refuse(directory, -errno, error) : 0;
}

int local_directory_close(struct local_directory *directory, struct error *error)
{
    const char *name = directory->options.name;
    int code =
        directory->made ? remove_own(directory->target, directory->own, name, directory->files) : 0;

    if (code)
        error_set(error, ERROR_FAILED, code, "removing %.300s/%s: %s; remove it with rm -r",
                  directory->options.directory, name, strerror(-code));
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
        return refuse(directory, -errno, error);
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

/* Random data, so that neither compression nor finding duplicates makes them less. */
static int fill(const struct local_directory *directory, int fd, uint64_t size, uint8_t *buffer,
                struct random *random)
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

static int explain_failed_file(const struct local_directory *directory, int code,
                               struct error *error)
{
    if (code == -EINTR)
        return error_set(error, ERROR_FAILED, code, "interrupted");
    return error_set(error, ERROR_FAILED, code, OPTION " %.300s: making a file: %s",
                     directory->options.directory, strerror(-code));
}

/* It is written through the page cache, and then forgotten by it where calls go past it. Returns
 * the descriptor for the calls, or a negative errno with ERROR set. */
static int make_file(struct local_directory *directory, uint64_t size, uint8_t *buffer,
                     struct random *random, struct error *error)
{
    bool direct = directory->options.direct;
    char name[FILE_NAME_SIZE];
    int fd, code;

    name_file(name, directory->files);
    fd = openat(directory->own, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return explain_failed_file(directory, -errno, error);
    directory->files++;
    code = fill(directory, fd, size, buffer, random);
    if (code == 0 && direct)
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    if (code == 0 && !direct)
        return fd;
    close(fd);
    if (code)
        return explain_failed_file(directory, code, error);
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
    for (size_t i = 0; i < files->count; i++)
        close(files->descriptors[i]);
    free(files->descriptors);
    *files = (struct local_files){.descriptors = NULL};
}

/* The page cache */

/* The pages of a window of LENGTH bytes that are in the cache, as a share; NAN: not known. */
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
