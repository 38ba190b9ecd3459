/* Walking a directory from its beginning to its end, as READDIR and READDIRPLUS let one: with each
 * reply's last cookie and its verifier. */
#ifndef NFSBENCH_NFS_WALK_H
#define NFSBENCH_NFS_WALK_H

#include "nfs/client.h"

/* Walk DIRECTORY, whose path is PATH and which nobody changes, by READDIRPLUS if PLUS, else by
 * READDIR, in replies of COUNT bytes. *ENTRIES gets the number of its entries but "." and "..". 0,
 * or a negative errno with ERROR set: -EBADMSG for a name that came twice, or a walk that does not
 * end. */
int nfs_walk(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             bool plus, uint32_t count, uint64_t *entries, struct error *error);

#endif
