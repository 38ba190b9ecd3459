/* NFS version 3 (RFC 1813): the procedures that the server has. */
#ifndef NFSBENCH_SERVER_NFS_H
#define NFSBENCH_SERVER_NFS_H

#include "server/call.h"

/* By procedure number; NULL for one that is not there. */
extern const call_procedure nfs_table[];
extern const size_t nfs_table_size;

/* nfs_object.c: procedures on one object */
enum rpc_outcome serve_getattr(struct call *call);
enum rpc_outcome serve_access(struct call *call);
enum rpc_outcome serve_readlink(struct call *call);
enum rpc_outcome serve_read(struct call *call);

/* nfs_directory.c: procedures on a directory's entries */
enum rpc_outcome serve_lookup(struct call *call);
enum rpc_outcome serve_readdir(struct call *call);
enum rpc_outcome serve_readdirplus(struct call *call);

/* nfs_system.c: procedures on the file system */
enum rpc_outcome serve_fsstat(struct call *call);
enum rpc_outcome serve_fsinfo(struct call *call);
enum rpc_outcome serve_pathconf(struct call *call);

#endif
