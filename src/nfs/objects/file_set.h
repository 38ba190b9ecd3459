#pragma once

#include "nfs/procedures/procedures.h"

struct nfs_tree;

/* The file set of a run. Calls are spread over its files, so that the server can't serve all calls
 * from one cached inode. The run makes the files in the scratch directory, or uses the files of an
 * existing tree. */
struct nfs_file_set {
    struct nfs_handle *handles;
    char (*names)[NFS_VARIANT_NAME_SIZE]; /* names in the scratch directory */
    uint32_t count;
    uint64_t size; /* bytes in each file: a multiple of the size of a READ or WRITE */
    /* The tree of files that existed before the run, with their names, sizes and directories
     * (nfs/objects/tree.h); NULL if the run made the files. With a tree, NAMES is NULL and SIZE is
     * 0. */
    struct nfs_tree *tree;
};

/* Table of the handles that calls are spread over. */
struct nfs_handle_table {
    const struct nfs_handle *first;
    size_t stride, count; /* STRIDE: distance between two handles, bytes */
};

/* Return the handles that calls on OBJECTS with places of KIND use. The table is empty if there is
 * no file set, or if the file set has no objects of KIND. */
struct nfs_handle_table nfs_file_set_handles(const struct nfs_objects *objects,
                                             enum nfs_places_kind kind);

static inline const struct nfs_handle *nfs_handle_at(const struct nfs_handle_table *table,
                                                     size_t number)
{
    return (const void *)((const char *)table->first + number * table->stride);
}

/* nfs_file_set_directory() returns the directory of file NUMBER of OBJECTS' file set, and
 * nfs_file_set_name() the file's name in it. */
const struct nfs_handle *nfs_file_set_directory(const struct nfs_objects *objects, uint32_t number);
const char *nfs_file_set_name(const struct nfs_objects *objects, uint32_t number);

/* Return the number of files that the run made for OBJECTS; 0 for an existing tree. */
uint32_t nfs_set_files(const struct nfs_objects *objects);

/* Make COUNT files of SIZE bytes in the scratch directory, spread the calls on OBJECTS over them,
 * and plan READs that are as long as the WRITEs. The files contain the write plan's data, repeated.
 * If calls are verified, the files contain stamps instead, which are read back at once. Returns 0,
 * or a negative errno with ERROR set. */
int nfs_file_set_make(struct nfs_objects *objects, struct rpc_client *client, uint32_t count,
                      uint64_t size, struct error *error);
void nfs_file_set_free(struct nfs_file_set *set);
