#include "run/setup/services.h"

#include <errno.h>

#include "common/address.h"
#include "engine/channel/rpc_client.h"
#include "mount3.h"

struct asking {
    struct services *services;
    const struct target *target;
    const struct mount_options *options;
    struct endpoint host; /* without a port */
};

static uint16_t *port_of(struct service *service, enum transport transport)
{
    return transport == TRANSPORT_TCP ? &service->tcp_port : &service->udp_port;
}

static void take_entry(void *context, const struct portmap_entry *entry)
{
    struct service *service = services_add(context, entry->program, entry->version);

    if (service)
        *port_of(service, entry->transport) = entry->port;
}

static void ask_portmap(struct asking *asking)
{
    struct services *services = asking->services;
    struct error error;

    if (portmap_dump(&asking->host, &asking->options->channel, take_entry, services, &error) != 0)
        services->portmap_missing = arena_copy(&services->arena, error.text);
}

/* Return the port of PROGRAM over the target's transport: GIVEN if it is not 0; otherwise the port
 * that the port mapper lists or, if it lists none, USUAL. */
static uint16_t find_port(const struct asking *asking, uint32_t program, uint16_t given,
                          uint16_t usual)
{
    struct service *service = services_service(asking->services, program);

    if (!given && service)
        given = *port_of(service, asking->target->transport);
    return given ? given : usual;
}

/* Add the versions from FIRST to FIRST + 2 that PROGRAM has at PORT. Returns 0 or -errno. */
static int try_versions(struct asking *asking, uint32_t program, uint32_t first, uint16_t port,
                        struct error *error)
{
    struct endpoint endpoint = asking->host;
    int code = 0;

    address_set_port(&endpoint.address, port);
    for (uint32_t version = first; version < first + 3; version++) {
        struct service *service = NULL;

        code = service_has_version(&endpoint, program, version, &asking->options->channel, error);
        if (code == 0)
            service = services_add(asking->services, program, version);
        else if (code != -EPROTONOSUPPORT)
            return code;
        if (service)
            *port_of(service, endpoint.transport) = port;
    }
    return 0;
}

/* Try version 3 of NFS at PORT over the transport that is not the target's, with a short timeout,
 * because the host may drop calls over that transport. */
static void try_other_transport(struct asking *asking, uint16_t port)
{
    enum { VERSION = 3, HASTY_NS = 500 * 1000 * 1000 };
    struct service *nfs = services_service(asking->services, SERVICES_NFS);
    struct channel_options hasty = asking->options->channel;
    struct endpoint endpoint = asking->host;
    struct error ignored;

    endpoint.transport = endpoint.transport == TRANSPORT_TCP ? TRANSPORT_UDP : TRANSPORT_TCP;
    address_set_port(&endpoint.address, port);
    hasty.timeout_ns = hasty.timeout_ns < HASTY_NS ? hasty.timeout_ns : HASTY_NS;
    hasty.retransmissions = 0;
    if (nfs && service_has_version(&endpoint, SERVICES_NFS, VERSION, &hasty, &ignored) == 0)
        *port_of(nfs, endpoint.transport) = port;
}

static const struct rpc_procedure export_procedure = {
    .name = "MOUNT EXPORT",
    .program = MOUNT_PROGRAM,
    .version = MOUNT_V3,
    .number = MOUNTPROC3_EXPORT,
    .xdr_arguments = (xdrproc_t)rpc_xdr_nothing,
    .xdr_result = (xdrproc_t)xdr_exports,
    .result_size = sizeof(exports),
    .reply_maximum = RPC_REPLY_LIST,
};

static int copy_clients(struct services *services, struct services_export *export, groups first)
{
    size_t count = 0;

    for (groups at = first; at; at = at->gr_next)
        count++;
    export->clients = arena_alloc(&services->arena, count + 1, sizeof *export->clients);
    if (!export->clients)
        return -ENOMEM;
    for (groups at = first; at; at = at->gr_next)
        export->clients[export->client_count++] = arena_copy(&services->arena, at->gr_name);
    return 0;
}

static int copy_exports(struct services *services, exports first)
{
    size_t count = 0;
    int code = 0;

    for (exports at = first; at; at = at->ex_next)
        count++;
    services->exports = arena_alloc(&services->arena, count + 1, sizeof *services->exports);
    if (!services->exports)
        return -ENOMEM;
    for (exports at = first; at && code == 0; at = at->ex_next) {
        struct services_export *export = &services->exports[services->export_count++];

        export->path = arena_copy(&services->arena, at->ex_dir);
        code = copy_clients(services, export, at->ex_groups);
    }
    return code;
}

static int ask_exports(struct asking *asking, uint16_t port, struct error *error)
{
    struct endpoint endpoint = asking->host;
    struct channel_options options = asking->options->channel;
    struct rpc_client *client;
    char nothing[1];
    exports first;
    int code;

    address_set_port(&endpoint.address, port);
    options.reply_maximum = RPC_REPLY_LIST;
    code = rpc_client_open(&client, &endpoint, &asking->options->identity, &options, error);
    if (code)
        return code;
    code = rpc_client_call(client, &export_procedure, nothing, &first, error);
    rpc_client_close(client);
    if (code)
        return code;
    code = copy_exports(asking->services, first);
    xdr_free(export_procedure.xdr_result, &first);
    return code ? error_set(error, ERROR_FAILED, code, "out of memory for a list of exports") : 0;
}

static int ask_versions(struct asking *asking, uint16_t nfs_port, uint16_t mount_port,
                        struct error *error)
{
    int code = 0, other = 0;
    struct error ignored;

    if (!services_service(asking->services, SERVICES_NFS)) {
        code = try_versions(asking, SERVICES_NFS, 2, nfs_port, error);
        try_other_transport(asking, nfs_port);
    }
    if (code == -EINTR || services_service(asking->services, SERVICES_MOUNT))
        return code;
    other = try_versions(asking, SERVICES_MOUNT, 1, mount_port, &ignored);
    if (other == -EINTR)
        *error = ignored;
    return other == -EINTR ? other : code;
}

static int ask_host(struct asking *asking, struct error *error)
{
    struct services *services = asking->services;
    const struct target *target = asking->target;
    uint16_t nfs_port, mount_port;
    struct error missing;
    int code;

    ask_portmap(asking);
    nfs_port = find_port(asking, SERVICES_NFS, target->nfs_port, TARGET_NFS_PORT);
    mount_port = find_port(asking, SERVICES_MOUNT, target->mount_port, nfs_port);
    code = ask_versions(asking, nfs_port, mount_port, error);
    if (code && (services->count == 0 || code == -EINTR))
        return code;
    if (!services_offer(services, SERVICES_MOUNT, MOUNT_V3))
        services->exports_missing = "the host has no MOUNT version 3";
    else if (ask_exports(asking, mount_port, &missing) != 0)
        services->exports_missing = arena_copy(&services->arena, missing.text);
    return 0;
}

static int ask_address(struct asking *asking, const struct addrinfo *address, struct error *error)
{
    char text[ADDRESS_TEXT_SIZE];

    asking->host = target_endpoint(asking->target, address);
    asking->host.reserved_port = asking->options->reserved_port;
    address_text(&asking->host.address, text);
    asking->services->address = arena_copy(&asking->services->arena, text);
    return ask_host(asking, error);
}

int services_find(struct services *services, const struct target *target,
                  const struct mount_options *options, struct error *error)
{
    struct asking asking = {.services = services, .target = target, .options = options};
    struct addrinfo *addresses;
    struct error later;
    int code;

    *services = (struct services){.count = 0};
    code = target_resolve(target, &options->channel.deadline, &addresses, error);
    if (code)
        return code;
    code = ask_address(&asking, addresses, error);
    for (const struct addrinfo *at = addresses->ai_next; at && code && code != -EINTR;
         at = at->ai_next) {
        const int next = ask_address(&asking, at, &later);

        if (next == -EINTR)
            *error = later;
        if (next == 0 || next == -EINTR)
            code = next;
    }
    freeaddrinfo(addresses);
    return code;
}
