/* Mounting an export over MOUNT version 3 (RFC 1813 section 5), from a target to the root's file
 * handle and the endpoint for NFS calls; and unmounting. */
#pragma once

#include "engine/channel/channel.h"
#include "nfs/procedures/items.h"
#include "rpc/credential.h"
#include "target/target.h"

enum { MOUNT_FLAVORS_MAXIMUM = 16 };

struct mount_options {
    struct identity identity;
    struct channel_options channel; /* options of connections to the services; SPIN is ignored */
    bool reserved_port;
};

struct mount {
    struct endpoint nfs;
    struct endpoint mount;
    char export[TARGET_PATH_SIZE]; /* the mounted export */
    char path[TARGET_PATH_SIZE]; /* the target's path below EXPORT; "": the target is the export */
    struct nfs_handle root;
    uint32_t flavors[MOUNT_FLAVORS_MAXIMUM]; /* first flavors that the server offers */
    size_t flavor_count;
    uint64_t mount_ns; /* time from resolving the name to the root's handle and the NFS port */
    /* Times within MOUNT_NS: to resolve the name, and to ask the port mapper for the ports that the
     * target does not name (0: not asked, or no answer). */
    uint64_t look_up_ns, port_mapper_ns;
    uint64_t unmount_ns; /* time to unmount; 0: not unmounted */
    struct mount_options options;
};

/* Set the port in SERVICE to that of VERSION of PROGRAM. The port mapper (RFC 1833) at SERVICE's
 * address is asked over SERVICE's transport: rpcbind versions 4 and 3, then, over IPv4, version 2.
 * NAME is the program's name in messages. Returns 0, or a negative errno with ERROR set: -ENOENT if
 * the program is not registered, or that of rpc_client_open() or rpc_client_call(). */
int portmap_lookup(struct endpoint *service, uint32_t program, uint32_t version, const char *name,
                   const struct channel_options *options, struct error *error);

/* A registration at a port mapper: a version of a program over TCP or UDP. */
struct portmap_entry {
    uint32_t program, version;
    enum transport transport;
    uint16_t port;
};

/* Call TAKE with CONTEXT for each registration at HOST's port mapper that has the family of HOST's
 * address. Asks over HOST's transport. Returns 0, or a negative errno with ERROR set. */
int portmap_dump(const struct endpoint *host, const struct channel_options *options,
                 void (*take)(void *context, const struct portmap_entry *entry), void *context,
                 struct error *error);

/* Call the procedure NULL of VERSION of PROGRAM at SERVICE. Returns 0 if SERVICE has this version;
 * otherwise, with ERROR set, -EPROTONOSUPPORT if it lacks the version or program, or an error of
 * rpc_client_open() or rpc_client_call(). */
int service_has_version(const struct endpoint *service, uint32_t program, uint32_t version,
                        const struct channel_options *options, struct error *error);

/* Resolve TARGET's host, ask the port mapper for ports that TARGET does not name, and mount the
 * longest part of the path that the server accepts. The host's addresses are tried until one
 * answers. Returns 0, or a negative errno with ERROR set, such as -ENOENT, -EACCES or -EIO for a
 * mountstat3, -EPROTONOSUPPORT if the server lacks our flavor or NFSv3, -EHOSTUNREACH for an
 * unknown name. */
int mount_export(struct mount *mount, const struct target *target,
                 const struct mount_options *options, struct error *error);

/* Unmount (UMNT). Returns 0, or a negative errno with ERROR set: the server may then still list the
 * mount, which does no harm. */
int mount_unmount(struct mount *mount, struct error *error);
