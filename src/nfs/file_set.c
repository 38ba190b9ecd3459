#include "nfs/working_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/change.h"
#include "nfs/tree.h"

enum { WRITE_AT_ONCE = 32 << 10 };

/* The contents of a file: the data of a WRITE over and over, so that a READ at any multiple of its
 * length returns the same data. This is as much of it as is written at once. */
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

static int make_file(struct nfs_objects *objects, struct rpc_client *client, uint32_t number,
                     const uint8_t *pattern, uint32_t length, struct error *error)
{
    struct nfs_file_set *set = objects->files;
    char *name = set->names[number];
    int code;

    snprintf(name, NFS_VARIANT_NAME_SIZE, "file-%08u", number);
    code = nfs_create(client, &objects->scratch, objects->scratch_path, name, &set->handles[number],
                      error);
    for (uint64_t offset = 0; offset < set->size && code == 0; offset += length) {
        uint64_t left = set->size - offset;

        code = nfs_write(client, &set->handles[number], objects->scratch_path, offset, pattern,
                         left < length ? (uint32_t)left : length, error);
    }
    return code;
}

/* What every READ asks for and must return. */
static int plan_read(struct nfs_objects *objects)
{
    struct nfs_read_plan *plan = &objects->read;
    const struct nfs_write_plan *written = &objects->write;

    free(plan->data);
    *plan = (struct nfs_read_plan){.count = written->count, .expected = written->count};
    if (!written->verify)
        return 0;
    plan->data = malloc(written->count);
    if (plan->data)
        memcpy(plan->data, written->data, written->count);
    return plan->data ? 0 : -ENOMEM;
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
    if (!set || !set->handles || !set->names || !pattern || plan_read(objects) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a file set");
    for (uint32_t i = 0; i < count && code == 0; i++)
        code = make_file(objects, client, i, pattern, length, error);
    free(pattern);
    return code;
}

struct nfs_handle_table nfs_file_set_handles(const struct nfs_objects *objects,
                                             enum nfs_places_kind kind)
{
    const struct nfs_file_set *set = objects->files;
    const struct nfs_tree *tree = set ? set->tree : NULL;

    if (kind == NFS_PLACES_DIRECTORIES && tree)
        return (struct nfs_handle_table){&tree->directories[0].handle, sizeof tree->directories[0],
                                         tree->directory_count};
    if (kind == NFS_PLACES_SYMLINKS && tree)
        return (struct nfs_handle_table){tree->symlinks.handles, sizeof(struct nfs_handle),
                                         tree->symlinks.count};
    if (set && kind != NFS_PLACES_DIRECTORIES && kind != NFS_PLACES_SYMLINKS)
        return (struct nfs_handle_table){set->handles, sizeof(struct nfs_handle), set->count};
    return (struct nfs_handle_table){.count = 0};
}

const struct nfs_handle *nfs_file_set_directory(const struct nfs_objects *objects, uint32_t number)
{
    const struct nfs_tree *tree = objects->files->tree;

    return tree ? &tree->directories[tree->files.directories[number]].handle : &objects->scratch;
}

const char *nfs_file_set_name(const struct nfs_objects *objects, uint32_t number)
{
    const struct nfs_tree *tree = objects->files->tree;

    return tree ? tree->text + tree->files.names[number] : objects->files->names[number];
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
