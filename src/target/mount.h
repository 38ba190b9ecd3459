/* Mounting an export over MOUNT version 3 (RFC 1813 section 5): from a target to the root's file
 * handle and the endpoint to send NFS calls to, and back. */
#ifndef NFSBENCH_TARGET_MOUNT_H
#define NFSBENCH_TARGET_MOUNT_H

#include "engine/channel.h"
#include "engine/identity.h"
#include "nfs/handle.h"
#include "target/target.h"

enum { MOUNT_FLAVORS_MAXIMUM = 16 };

struct mount_options {
    struct identity identity;
    struct channel_options channel; /* patience; spin is ignored */
    bool reserved_port;
};

struct mount {
    struct endpoint nfs;           /* where NFS calls go */
    struct endpoint mount;         /* where the MOUNT service is */
    char export[TARGET_PATH_SIZE]; /* what was mounted */
    char path[TARGET_PATH_SIZE];   /* the rest of the target's path, below it; may be empty */
    struct nfs_handle root;
    uint32_t flavors[MOUNT_FLAVORS_MAXIMUM]; /* that the server offered */
    size_t flavor_count;
    uint64_t mount_ns;   /* from resolving the name to the root's handle, port mapper included */
    uint64_t unmount_ns; /* 0 until unmounted */
    struct mount_options options;
};

/* Resolve the host (each of its addresses is tried in turn), ask the port mapper for the ports that
 * the target leaves open, and mount the longest part of the path that the server lets itself be
 * asked for. 0, or a negative errno with ERROR set: -ENOENT, -EACCES or -EIO for a mountstat3,
 * -EPROTONOSUPPORT when no flavour that the server offers is ours, -EHOSTUNREACH for a name that
 * can't be resolved. */
int mount_export(struct mount *mount, const struct target *target,
                 const struct mount_options *options, struct error *error);

/* Tell the server (UMNT). 0, or a negative errno with ERROR set; the export is then still listed at
 * the server, and nothing else is amiss. */
int mount_unmount(struct mount *mount, struct error *error);

#endif
