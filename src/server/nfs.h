/* NFS version 3 (RFC 1813): the server's procedures. */
#ifndef NFSBENCH_SERVER_NFS_H
#define NFSBENCH_SERVER_NFS_H

#include "server/call.h"

enum { NFS_PROCEDURES = 22 };

/* By procedure number. */
extern const struct procedure nfs_table[NFS_PROCEDURES];

/* nfs_object.c: procedures on one object */
enum rpc_outcome serve_getattr(struct call *call);
enum rpc_outcome serve_setattr(struct call *call);
enum rpc_outcome serve_access(struct call *call);
enum rpc_outcome serve_readlink(struct call *call);

/* nfs_data.c: procedures on a file's data */
enum rpc_outcome serve_read(struct call *call);
enum rpc_outcome serve_write(struct call *call);
enum rpc_outcome serve_commit(struct call *call);

/* nfs_directory.c: procedures on a directory's entries */
enum rpc_outcome serve_lookup(struct call *call);
enum rpc_outcome serve_readdir(struct call *call);
enum rpc_outcome serve_readdirplus(struct call *call);

/* nfs_make.c: procedures that make a new name */
enum rpc_outcome serve_create(struct call *call);
enum rpc_outcome serve_mkdir(struct call *call);
enum rpc_outcome serve_symlink(struct call *call);
enum rpc_outcome serve_mknod(struct call *call);
enum rpc_outcome serve_link(struct call *call);

/* nfs_remove.c: procedures that remove a name */
enum rpc_outcome serve_remove(struct call *call);
enum rpc_outcome serve_rmdir(struct call *call);
enum rpc_outcome serve_rename(struct call *call);

/* nfs_system.c: procedures on the file system */
enum rpc_outcome serve_fsstat(struct call *call);
enum rpc_outcome serve_fsinfo(struct call *call);
enum rpc_outcome serve_pathconf(struct call *call);

/* acl.c: NFS_ACL version 3 (proto/nfs_acl.x), by procedure number. The only ACLs are those that
 * mode bits stand for. */
enum { ACL_PROCEDURES = 3 };
extern const struct procedure acl_table[ACL_PROCEDURES];

#endif
