/* The file set of a run: files in the scratch directory that its calls are spread over, so that a
 * server can't serve them all from one hot inode. */
#ifndef NFSBENCH_NFS_FILE_SET_H
#define NFSBENCH_NFS_FILE_SET_H

#include "common/error.h"
#include "nfs/procedures.h"

struct nfs_file_set {
    struct nfs_handle *handles;
    char (*names)[NFS_VARIANT_NAME_SIZE]; /* in the scratch directory */
    uint32_t count;
    uint64_t size; /* bytes in each: a multiple of what a READ or WRITE takes */
};

/* Make COUNT files of SIZE bytes (that of the WRITEs of OBJECTS, over and over) in their scratch
 * directory, and have its calls spread over them. 0, or a negative errno with ERROR set. */
int nfs_file_set_make(struct nfs_objects *objects, struct rpc_client *client, uint32_t count,
                      uint64_t size, struct error *error);
void nfs_file_set_free(struct nfs_file_set *set);

#endif
