/* The file set of a run: the files that its calls are spread over. */
#pragma once

#include "nfs/procedures/procedures.h"

struct nfs_tree;

/* The file set of a run: files that its calls are spread over, so that a server can't serve them
 * all from one hot inode. They are made in the scratch directory, or were there already. */
struct nfs_file_set {
    struct nfs_handle *handles;
    char (*names)[NFS_VARIANT_NAME_SIZE]; /* in the scratch directory */
    uint32_t count;
    uint64_t size; /* bytes in each: a multiple of what a READ or WRITE takes */
    /* Where the files were there already (nfs/objects/tree.h): then they have names, sizes and
     * directories of their own, NAMES is NULL, and SIZE 0. NULL: the run made them. */
    struct nfs_tree *tree;
};

/* Handles that calls are spread over, STRIDE bytes from each to the next. */
struct nfs_handle_table {
    const struct nfs_handle *first;
    size_t stride, count; /* COUNT 0: there are none */
};

/* Those that calls with places of KIND have on OBJECTS. */
struct nfs_handle_table nfs_file_set_handles(const struct nfs_objects *objects,
                                             enum nfs_places_kind kind);

static inline const struct nfs_handle *nfs_handle_at(const struct nfs_handle_table *table,
                                                     size_t number)
{
    return (const void *)((const char *)table->first + number * table->stride);
}

/* The directory of file NUMBER of the file set that OBJECTS have, and its name there. */
const struct nfs_handle *nfs_file_set_directory(const struct nfs_objects *objects, uint32_t number);
const char *nfs_file_set_name(const struct nfs_objects *objects, uint32_t number);

/* Number of files that the run itself made in the file set of OBJECTS; 0 for a tree that was
 * there. */
uint32_t nfs_set_files(const struct nfs_objects *objects);

/* Make COUNT files of SIZE bytes (that of the WRITEs of OBJECTS, over and over) in their scratch
 * directory, and have its calls spread over them. 0, or a negative errno with ERROR set. */
int nfs_file_set_make(struct nfs_objects *objects, struct rpc_client *client, uint32_t count,
                      uint64_t size, struct error *error);
void nfs_file_set_free(struct nfs_file_set *set);
