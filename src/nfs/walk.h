/* Walking a directory from its beginning to its end, as READDIR and READDIRPLUS allow: with each
 * reply's last cookie and its verifier. */
#ifndef NFSBENCH_NFS_WALK_H
#define NFSBENCH_NFS_WALK_H

#include "nfs/client.h"

/* Walk DIRECTORY, whose path is PATH and which nobody changes, by READDIRPLUS if PLUS, else by
 * READDIR, in replies of COUNT bytes. It has LIMIT entries at most, "." and ".." among them.
 * *ENTRIES gets the number of the others. 0, or a negative errno with ERROR set: -EBADMSG for a
 * name or a cookie that came twice, more entries, or a list that makes no progress. */
int nfs_walk(struct rpc_client *client, const struct nfs_handle *directory, const char *path,
             bool plus, uint32_t count, uint64_t limit, uint64_t *entries, struct error *error);

#endif
