#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "nfs/change.h"
#include "nfs/objects/file_set.h"
#include "nfs/objects/tree.h"
#include "nfs/verify/read_back.h"

enum { WRITE_AT_ONCE = 32 << 10 };

/* Return *LENGTH bytes, allocated, to write at a time into files of SIZE bytes: PLAN's data,
 * repeated, so that READs at all multiples of PLAN's length return the same data. */
static uint8_t *make_pattern(const struct nfs_write_plan *plan, uint64_t size, uint32_t *length)
{
    uint32_t times = WRITE_AT_ONCE / plan->count;
    uint8_t *pattern;

    *length = times > 1 ? times * plan->count : plan->count;
    if (*length > size)
        *length = (uint32_t)size;
    pattern = malloc(*length);
    for (uint32_t i = 0; pattern && i < *length; i++)
        pattern[i] = plan->data[i % plan->count];
    return pattern;
}

/* Write LENGTH bytes of DATA at STAMP's offset of STAMP's file. If calls are verified, first
 * replace DATA by the data that STAMP describes, and read them back afterwards. */
static int write_range(const struct nfs_objects *objects, struct rpc_client *client,
                       const struct nfs_stamp *stamp, uint8_t *data, uint32_t length,
                       struct error *error)
{
    const struct nfs_written written = {.objects = objects,
                                        .handle = &objects->files->handles[stamp->file],
                                        .name = objects->files->names[stamp->file],
                                        .length = length,
                                        .stamp = *stamp};
    int code;

    if (objects->passes)
        nfs_stamp_write(data, length, stamp);
    code = nfs_write(client, written.handle, objects->scratch_path, stamp->offset, data, length,
                     error);
    return code || !objects->passes ? code : nfs_read_back(client, &written, "WRITE", error);
}

static int make_file(struct nfs_objects *objects, struct rpc_client *client, uint32_t number,
                     uint8_t *pattern, uint32_t length, struct error *error)
{
    struct nfs_file_set *set = objects->files;
    struct nfs_stamp stamp = {.file = number, .pass = 1};
    char *name = set->names[number];
    int code;

    snprintf(name, NFS_VARIANT_NAME_SIZE, "file-%08u", number);
    code = nfs_create(client, &objects->scratch, objects->scratch_path, name, &set->handles[number],
                      error);
    for (; stamp.offset < set->size && code == 0; stamp.offset += length) {
        uint64_t left = set->size - stamp.offset;

        code = write_range(objects, client, &stamp, pattern,
                           left < length ? (uint32_t)left : length, error);
    }
    return code;
}

/* Plan READs of the file set. Their data are verified by place (nfs/verify/verify.h). */
static void plan_read(struct nfs_objects *objects)
{
    const uint32_t count = objects->write.count;

    free(objects->read.data);
    objects->read = (struct nfs_read_plan){.count = count, .expected = count};
}

int nfs_file_set_make(struct nfs_objects *objects, struct rpc_client *client, uint32_t count,
                      uint64_t size, struct error *error)
{
    struct nfs_file_set *set = calloc(1, sizeof *set);
    uint32_t length = 0;
    uint8_t *pattern = make_pattern(&objects->write, size, &length);
    int code = 0;

    objects->files = set;
    if (set) {
        *set = (struct nfs_file_set){.handles = calloc(count, sizeof *set->handles),
                                     .names = calloc(count, sizeof *set->names),
                                     .count = count,
                                     .size = size};
    }
    plan_read(objects);
    if (!set || !set->handles || !set->names || !pattern)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a file set");
    for (uint32_t i = 0; i < count && code == 0; i++)
        code = make_file(objects, client, i, pattern, length, error);
    free(pattern);
    return code;
}

void nfs_file_set_free(struct nfs_file_set *set)
{
    if (set && set->tree) {
        nfs_tree_free(set->tree);
    } else if (set) {
        free(set->handles);
        free(set->names);
    }
    free(set);
}
