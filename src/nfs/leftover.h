/* The scratch directories that killed runs left: recognised by name and by their lease, and only if
 * the lease has expired. */
#ifndef NFSBENCH_NFS_LEFTOVER_H
#define NFSBENCH_NFS_LEFTOVER_H

#include "nfs/lease.h"
#include "nfs/scratch.h"

struct nfs_leftover {
    struct nfs_scratch scratch; /* its names and paths are the caller's */
    struct nfs_lease lease;
};

/* May the directory that LEFTOVER's scratch names by base and name be removed? 0 with the rest of
 * LEFTOVER set; or a negative errno with ERROR set, which says why it stays (-ENOENT: it is gone),
 * or (ERROR_UNREACHABLE) that the server is unreachable. Nothing changes but the lease's time of
 * last access, and that only where the lease is a run's. */
int nfs_leftover_judge(struct rpc_client *client, struct nfs_leftover *leftover,
                       struct error *error);

/* Check LEFTOVER, which was checked before, once more, and remove it. 0, or a negative errno with
 * ERROR set, as above. */
int nfs_leftover_remove(struct rpc_client *client, const struct nfs_leftover *leftover,
                        struct error *error);

#endif
