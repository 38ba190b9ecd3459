/* Tables of the procedures of the programs that the server serves, in version 3: NFS (RFC 1813),
 * MOUNT (RFC 1813 section 5) and NFS_ACL (proto/nfs_acl.x). */
#pragma once

#include "common/address.h"
#include "mount3.h"
#include "serve/policy.h"
#include "serve/programs/call.h"

/* nfs.c: procedures of NFS, by number. */
enum { NFS_PROCEDURES = 22 };
extern const struct procedure nfs_table[NFS_PROCEDURES];

/* The NULL procedure of any program. */
nfsstat3 serve_null(struct call *call);

/* nfs_names.c */
nfsstat3 serve_lookup(struct call *call);
nfsstat3 serve_create(struct call *call);
nfsstat3 serve_mkdir(struct call *call);
nfsstat3 serve_symlink(struct call *call);
nfsstat3 serve_mknod(struct call *call);
nfsstat3 serve_link(struct call *call);
nfsstat3 serve_remove(struct call *call);
nfsstat3 serve_rmdir(struct call *call);
nfsstat3 serve_rename(struct call *call);

/* nfs_directory.c */
nfsstat3 serve_readdir(struct call *call);
nfsstat3 serve_readdirplus(struct call *call);

/* acl.c: procedures of NFS_ACL, by number. Every ACL is equivalent to mode bits. */
enum { ACL_PROCEDURES = 3 };
extern const struct procedure acl_table[ACL_PROCEDURES];

/* mount.c: procedures of MOUNT, by number. */
enum { MOUNT_PROCEDURES = 6 };
extern const struct procedure mount_table[MOUNT_PROCEDURES];

/* The mounts that clients have made, and the flavors that MNT returns. For a mount
 * beyond MOUNTS_MAXIMUM, the first of the list is dropped. */
enum { MOUNTS_MAXIMUM = 64 };

struct mounts {
    struct {
        char host[ADDRESS_TEXT_SIZE];
        char path[MNTPATHLEN + 1];
    } list[MOUNTS_MAXIMUM];
    size_t count;
    uint32_t flavors[POLICY_FLAVORS_MAXIMUM]; /* flavors that calls may have */
    size_t flavor_count;
};
