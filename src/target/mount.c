#include "target/mount.h"

#include <errno.h>
#include <string.h>

#include "common/address.h"
#include "common/append.h"
#include "engine/channel/rpc_client.h"
#include "mount3.h"
#include "nfs/status.h"
#include "nfs3.h"

enum { NFS_V4 = 4 };

#define HASTY_NS UINT64_C(2000000000) /* timeout of a call that only improves an error message */

static const struct rpc_procedure mnt = {.name = "MNT",
                                         .program = MOUNT_PROGRAM,
                                         .version = MOUNT_V3,
                                         .number = MOUNTPROC3_MNT,
                                         .xdr_arguments = (xdrproc_t)xdr_dirpath,
                                         .xdr_result = (xdrproc_t)xdr_mountres3,
                                         .result_size = sizeof(mountres3)};

static const struct rpc_procedure umnt = {.name = "UMNT",
                                          .program = MOUNT_PROGRAM,
                                          .version = MOUNT_V3,
                                          .number = MOUNTPROC3_UMNT,
                                          .xdr_arguments = (xdrproc_t)xdr_dirpath,
                                          .xdr_result = (xdrproc_t)rpc_xdr_nothing};

/* Ask the port mapper for SERVICE's port. On success, add the time to MOUNT's PORT_MAPPER_NS. */
static int ask_port_mapper(struct mount *mount, struct endpoint *service, uint32_t program,
                           uint32_t version, const char *name, struct error *error)
{
    const uint64_t began = clock_raw_ns();
    const int code =
        portmap_lookup(service, program, version, name, &mount->options.channel, error);

    if (code == 0)
        mount->port_mapper_ns += clock_raw_ns() - began;
    return code;
}

/* Set the port of the MOUNT service. If the port mapper can't help and TARGET names an NFS port,
 * use that port, because many servers answer MOUNT calls there. */
static int find_mount_port(struct mount *mount, const struct target *target, struct error *error)
{
    int code;

    address_set_port(&mount->mount.address, target->mount_port);
    if (target->mount_port)
        return 0;
    code = ask_port_mapper(mount, &mount->mount, MOUNT_PROGRAM, MOUNT_V3, "MOUNT", error);
    if (code == 0 || code == -EINTR || !target->nfs_port)
        return code;
    address_set_port(&mount->mount.address, target->nfs_port);
    return 0;
}

static int find_nfs_port(struct mount *mount, const struct target *target, struct error *error)
{
    address_set_port(&mount->nfs.address, target->nfs_port);
    if (target->nfs_port)
        return 0;
    return ask_port_mapper(mount, &mount->nfs, NFS_PROGRAM, NFS_V3, "NFS", error);
}

static bool flavor_offered(const struct mount *mount, uint32_t flavor)
{
    for (size_t i = 0; i < mount->flavor_count; i++)
        if (mount->flavors[i] == flavor)
            return true;
    return false;
}

/* Return whether the server accepts our flavor. A server that offers no flavors accepts all. If it
 * offers AUTH_NONE, it ignores credentials (RFC 2623 section 2.7), but may still lack Kerberos. */
static bool flavor_accepted(const struct mount *mount)
{
    const struct identity *identity = &mount->options.identity;

    return mount->flavor_count == 0 || flavor_offered(mount, identity->flavor) ||
           (flavor_offered(mount, RPC_FLAVOR_NONE) && !identity_needs_kerberos(identity));
}

static int check_flavors(const struct mount *mount, struct error *error)
{
    char list[160] = "", ours[24], buffer[24];

    if (flavor_accepted(mount))
        return 0;
    for (size_t i = 0; i < mount->flavor_count; i++)
        append_item(list, sizeof list, "%s", rpc_flavor_name(mount->flavors[i], buffer));
    return error_set(error, ERROR_UNREACHABLE, -EPROTONOSUPPORT,
                     "%.200s accepts %s, not %s (RPC_AUTHERROR AUTH_TOOWEAK); see --sec",
                     mount->export, list, rpc_flavor_name(mount->options.identity.flavor, ours));
}

static int take_root(struct mount *mount, const mountres3_ok *info, struct error *error)
{
    if (!nfs_handle_set(&mount->root, info->fhandle.fhandle3_val, info->fhandle.fhandle3_len))
        return error_set(error, ERROR_FAILED, -EBADMSG, "MNT of %.200s returned an empty handle",
                         mount->export);
    mount->flavor_count = 0;
    for (u_int i = 0; i < info->auth_flavors.auth_flavors_len; i++)
        if (mount->flavor_count < MOUNT_FLAVORS_MAXIMUM)
            mount->flavors[mount->flavor_count++] =
                (uint32_t)info->auth_flavors.auth_flavors_val[i];
    return check_flavors(mount, error);
}

static int mount_error(mountstat3 status)
{
    return status == MNT3ERR_NOENT ? -ENOENT : status == MNT3ERR_ACCES ? -EACCES : -EIO;
}

/* Return a hint if the server may require a privileged source port ("secure" in Linux), or "". */
static const char *describe_port(const struct mount *mount, mountstat3 status)
{
    return status == MNT3ERR_ACCES && !mount->options.reserved_port
               ? "; the server may require a source port below 1024: leave out --no-resvport"
               : "";
}

static int call_mnt(struct mount *mount, struct rpc_client *client, const char *path,
                    struct error *error)
{
    dirpath argument = (char *)(uintptr_t)path;
    char where[ENDPOINT_NAME_SIZE], name[NFS_STATUS_NAME_SIZE];
    mountres3 result;
    int code = rpc_client_call(client, &mnt, &argument, &result, error);

    if (code)
        return code;
    if (result.fhs_status != MNT3_OK)
        code = error_set(
            error, ERROR_UNREACHABLE, mount_error(result.fhs_status),
            "MNT of %.300s at %s was answered by %s; 'nfsbench HOST:' lists the host's exports%s",
            path, endpoint_describe(&mount->mount, where),
            nfs_mount_status_name((uint32_t)result.fhs_status, name),
            describe_port(mount, result.fhs_status));
    else
        code = take_root(mount, &result.mountres3_u.mountinfo, error);
    xdr_free(mnt.xdr_result, &result);
    return code;
}

static bool is_refusal(int code)
{
    return code == -ENOENT || code == -EACCES || code == -EIO;
}

/* Mount the longest possible part of PATH, because only the server knows which part is an export.
 * If no part can be mounted, the first error is reported. */
static int mount_longest(struct mount *mount, struct rpc_client *client, const char *path,
                         struct error *error)
{
    struct error later;
    size_t length = strlen(path);
    int code, next;

    snprintf(mount->export, sizeof mount->export, "%s", path);
    code = call_mnt(mount, client, mount->export, error);
    next = code;
    while (is_refusal(next) && length > 1) {
        while (length > 1 && path[--length] != '/')
            ;
        snprintf(mount->export, sizeof mount->export, "%.*s", length ? (int)length : 1, path);
        next = call_mnt(mount, client, mount->export, &later);
    }
    if (next == 0)
        snprintf(mount->path, sizeof mount->path, "%s", path + strlen(mount->export));
    return next == 0 ? 0 : code;
}

static int mount_at_endpoint(struct mount *mount, const struct target *target, struct error *error)
{
    struct rpc_client *client;
    int code = find_mount_port(mount, target, error);

    if (code == 0)
        code = rpc_client_open(&client, &mount->mount, &mount->options.identity,
                               &mount->options.channel, error);
    if (code)
        return code;
    code = mount_longest(mount, client, target->path, error);
    rpc_client_close(client);
    return code ? code : find_nfs_port(mount, target, error);
}

/* Return whether the host's next address should be tried after the error CODE. */
static bool address_is_dead(int code)
{
    return code == -ECONNREFUSED || code == -ETIMEDOUT || code == -EHOSTUNREACH ||
           code == -ENETUNREACH || code == -EADDRNOTAVAIL || code == -EAFNOSUPPORT;
}

/* If CODE may mean that the server lacks NFS version 3, ask the server. If it has version 4 but not
 * version 3, set ERROR and return -EPROTONOSUPPORT. In all other cases, return CODE. */
static int describe_version(const struct mount *mount, const struct target *target, int code,
                            struct error *error)
{
    struct channel_options hasty = mount->options.channel;
    struct endpoint nfs = mount->nfs;
    char where[ENDPOINT_NAME_SIZE];
    struct error ignored;

    if (code != -ENOENT && code != -ECONNREFUSED && code != -EPROTONOSUPPORT)
        return code;
    hasty.timeout_ns = HASTY_NS;
    nfs.transport = TRANSPORT_TCP; /* because NFS version 4 has no UDP */
    address_set_port(&nfs.address, target->nfs_port ? target->nfs_port : TARGET_NFS_PORT);
    if (service_has_version(&nfs, NFS_PROGRAM, NFS_V3, &hasty, &ignored) != -EPROTONOSUPPORT ||
        service_has_version(&nfs, NFS_PROGRAM, NFS_V4, &hasty, &ignored) != 0)
        return code;
    return error_set(
        error, ERROR_UNREACHABLE, -EPROTONOSUPPORT,
        "the server at %s has NFS version 4, but not version 3 (RPC_PROGVERSMISMATCH), which "
        "nfsbench measures: enable version 3 on the server",
        endpoint_describe(&nfs, where));
}

static int mount_at_address(struct mount *mount, const struct target *target,
                            const struct addrinfo *address, struct error *error)
{
    struct endpoint endpoint = target_endpoint(target, address);
    int code;

    endpoint.reserved_port = mount->options.reserved_port;
    endpoint.timeout_ns = mount->options.channel.timeout_ns;
    mount->mount = mount->nfs = endpoint;
    code = mount_at_endpoint(mount, target, error);
    return code ? describe_version(mount, target, code, error) : 0;
}

static int mount_at_any(struct mount *mount, const struct target *target,
                        const struct addrinfo *addresses, struct error *error)
{
    int code = mount_at_address(mount, target, addresses, error);

    for (addresses = addresses->ai_next; addresses && address_is_dead(code);
         addresses = addresses->ai_next) {
        struct error later;
        int next = mount_at_address(mount, target, addresses, &later);

        if (address_is_dead(next))
            continue;
        code = next;
        *error = later;
    }
    return code;
}

int mount_export(struct mount *mount, const struct target *target,
                 const struct mount_options *options, struct error *error)
{
    uint64_t started = clock_raw_ns();
    struct addrinfo *addresses;
    int code;

    memset(mount, 0, sizeof *mount);
    mount->options = *options;
    mount->options.channel.spin = false;
    code = target_resolve(target, &options->channel.deadline, &addresses, error);
    if (code)
        return code;
    mount->look_up_ns = clock_raw_ns() - started;
    code = mount_at_any(mount, target, addresses, error);
    freeaddrinfo(addresses);
    mount->mount_ns = clock_raw_ns() - started;
    return code;
}

int mount_unmount(struct mount *mount, struct error *error)
{
    uint64_t started = clock_raw_ns();
    dirpath argument = mount->export;
    struct rpc_client *client;
    char nothing[1];
    int code = rpc_client_open(&client, &mount->mount, &mount->options.identity,
                               &mount->options.channel, error);

    if (code)
        return code;
    code = rpc_client_call(client, &umnt, &argument, nothing, error);
    rpc_client_close(client);
    if (code == 0)
        mount->unmount_ns = clock_raw_ns() - started;
    return code;
}
