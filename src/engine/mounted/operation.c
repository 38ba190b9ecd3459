#include "engine/mounted/operation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/mounted/operation_data.h"

#define DATA_NAME   "data"
#define CACHED_NAME "cached"

enum { PAGE = 4096 };

const struct mounted_operation *mounted_operation_find(const char *op)
{
    for (const struct mounted_operation *at = mounted_operations; at->op; at++)
        if (strcmp(at->op, op) == 0)
            return at;
    return NULL;
}

int operation_objects_open(struct operation_objects *objects, const char *path)
{
    memset(objects, 0, sizeof *objects);
    objects->scratch = objects->data = objects->cached = -1;
    for (size_t i = 0; i < OPERATION_CALLS_MAXIMUM; i++)
        objects->files[i] = -1;
    random_seed(&objects->random, 1);
    objects->target = open(path, O_PATH | O_CLOEXEC);
    return objects->target < 0 ? -errno : 0;
}

/* Write a new file NAME of OPERATION_FILE_SIZES areas. The client has sent all data when
 * close() returns. */
static int fill_file(struct operation_objects *objects, const char *name)
{
    int code = 0,
        fd = openat(objects->scratch, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

    if (fd < 0)
        return -errno;
    for (uint64_t i = 0; i < OPERATION_FILE_SIZES && code == 0; i++) {
        operation_data_fill(objects->buffer, objects->size, operation_first_stamp(i));
        if (write(fd, objects->buffer, objects->size) != (ssize_t)objects->size)
            code = -errno;
    }
    if (close(fd) != 0 && code == 0)
        code = -errno;
    return code;
}

static int read_cached_places(const struct operation_objects *objects)
{
    for (uint64_t i = 0; i < objects->cached_places; i++)
        if (pread(objects->cached, objects->buffer, objects->size, (off_t)i * objects->size) < 0)
            return -errno;
    return 0;
}

static int open_files(struct operation_objects *objects)
{
    objects->data = openat(objects->scratch, DATA_NAME, O_RDWR | O_DIRECT | O_DSYNC | O_CLOEXEC);
    if (objects->data < 0)
        return -errno;
    objects->cached = openat(objects->scratch, CACHED_NAME, O_RDONLY | O_CLOEXEC);
    objects->length = (uint64_t)OPERATION_FILE_SIZES * objects->size;
    objects->places = objects->cached_places = OPERATION_FILE_SIZES;
    for (uint64_t i = 0; i < OPERATION_FILE_SIZES; i++)
        objects->stamps[i] = objects->stamp = operation_first_stamp(i);
    return objects->cached < 0 ? -errno : read_cached_places(objects);
}

static int make_buffer(struct operation_objects *objects, uint32_t size)
{
    void *buffer = NULL;

    if (posix_memalign(&buffer, PAGE, size) != 0)
        return -ENOMEM;
    objects->buffer = memset(buffer, 'E', size);
    objects->size = size;
    return 0;
}

int operation_objects_make(struct operation_objects *objects, const char *name, uint32_t size)
{
    int code = make_buffer(objects, size);

    if (code)
        return code;
    if (mkdirat(objects->target, name, 0700) != 0)
        return -errno;
    objects->scratch = openat(objects->target, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (objects->scratch < 0)
        return -errno;
    code = fill_file(objects, DATA_NAME);
    if (code == 0)
        code = fill_file(objects, CACHED_NAME);
    return code ? code : open_files(objects);
}

/* Open the file through the target's descriptor, because its name may have changed. */
int operation_objects_use_file(struct operation_objects *objects, uint32_t size)
{
    struct stat status;
    char path[40];
    int code = make_buffer(objects, size);

    if (code)
        return code;
    snprintf(path, sizeof path, "/proc/self/fd/%d", objects->target);
    objects->data = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    objects->cached = open(path, O_RDONLY | O_CLOEXEC);
    if (objects->data < 0 || objects->cached < 0 || fstat(objects->cached, &status) != 0)
        return -errno;
    objects->length = (uint64_t)status.st_size;
    objects->places = objects->length / size;
    if (objects->places == 0)
        return -EINVAL;
    objects->cached_places =
        objects->places < OPERATION_FILE_SIZES ? objects->places : OPERATION_FILE_SIZES;
    return read_cached_places(objects);
}

static void close_all(struct operation_objects *objects)
{
    for (size_t i = 0; i < OPERATION_CALLS_MAXIMUM; i++)
        if (objects->files[i] >= 0)
            close(objects->files[i]);
    if (objects->data >= 0)
        close(objects->data);
    if (objects->cached >= 0)
        close(objects->cached);
    free(objects->buffer);
}

static int remove_entry(int directory, const struct dirent *entry)
{
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
        return 0;
    if (unlinkat(directory, entry->d_name, 0) == 0 || errno == ENOENT)
        return 0;
    return unlinkat(directory, entry->d_name, AT_REMOVEDIR) == 0 ? 0 : -errno;
}

static int remove_contents(int scratch)
{
    int code = 0, fd = openat(scratch, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (!directory)
        return -errno;
    while (code == 0 && (entry = readdir(directory)))
        code = remove_entry(fd, entry);
    closedir(directory);
    return code;
}

int operation_objects_remove(struct operation_objects *objects, const char *name)
{
    int code = 0;

    close_all(objects);
    if (objects->scratch >= 0) {
        code = remove_contents(objects->scratch);
        close(objects->scratch);
        if (code == 0 && unlinkat(objects->target, name, AT_REMOVEDIR) != 0)
            code = -errno;
    }
    close(objects->target);
    return code;
}
