/* Asking a port mapper where a program is. The protocol's types are libtirpc's. */
#include "target/mount.h"

#include <rpc/rpc.h>

#include <errno.h>
#include <netinet/in.h>
#include <rpc/pmap_prot.h>
#include <stdio.h>
#include <string.h>

#include "common/address.h"
#include "engine/rpc_client.h"

/* RFC 1833 has no limit; an IPv6 address takes some 50 bytes. */
enum { UNIVERSAL_ADDRESS_MAXIMUM = 256 };

static bool_t xdr_universal_address(XDR *xdr, char **address)
{
    return xdr_string(xdr, address, UNIVERSAL_ADDRESS_MAXIMUM);
}

static const struct rpc_procedure getaddr[] = {
    {.name = "RPCBIND GETADDR",
     .program = RPCBPROG,
     .version = RPCBVERS4,
     .number = RPCBPROC_GETADDR,
     .xdr_arguments = (xdrproc_t)xdr_rpcb,
     .xdr_result = (xdrproc_t)xdr_universal_address,
     .result_size = sizeof(char *)},
    {.name = "RPCBIND GETADDR",
     .program = RPCBPROG,
     .version = RPCBVERS,
     .number = RPCBPROC_GETADDR,
     .xdr_arguments = (xdrproc_t)xdr_rpcb,
     .xdr_result = (xdrproc_t)xdr_universal_address,
     .result_size = sizeof(char *)},
};

static const struct rpc_procedure getport = {.name = "PORTMAP GETPORT",
                                             .program = PMAPPROG,
                                             .version = PMAPVERS,
                                             .number = PMAPPROC_GETPORT,
                                             .xdr_arguments = (xdrproc_t)xdr_pmap,
                                             .xdr_result = (xdrproc_t)xdr_u_int,
                                             .result_size = sizeof(u_int)};

/* A port as the port mapper's version 2 has it: any number; 0 for none. */
static uint16_t port_of(unsigned long number)
{
    return number <= UINT16_MAX ? (uint16_t)number : 0;
}

/* The port in a universal address, "h1.h2.h3.h4.p1.p2" (RFC 5665 section 5.2.3.3); 0 for none. */
static uint16_t universal_port(const char *address)
{
    const char *low = strrchr(address, '.');
    const char *high = low;
    unsigned p1, p2;

    while (high && high > address && *--high != '.')
        ;
    if (!high || sscanf(high + (*high == '.'), "%3u.%3u", &p1, &p2) != 2 || p1 > 255 || p2 > 255)
        return 0;
    return (uint16_t)(p1 << 8 | p2);
}

static int ask_rpcbind(struct rpc_client *client, const struct rpc_procedure *procedure,
                       const struct endpoint *service, uint32_t program, uint32_t version,
                       uint16_t *port, struct error *error)
{
    bool tcp = service->transport == TRANSPORT_TCP;
    bool v6 = service->address.ss_family == AF_INET6;
    char netid[8], empty[1] = "";
    rpcb arguments = {
        .r_prog = program, .r_vers = version, .r_netid = netid, .r_addr = empty, .r_owner = empty};
    char *address;
    int code;

    snprintf(netid, sizeof netid, "%s%s", tcp ? "tcp" : "udp", v6 ? "6" : "");
    code = rpc_client_call(client, procedure, &arguments, &address, error);
    if (code)
        return code;
    *port = address ? universal_port(address) : 0;
    xdr_free(procedure->xdr_result, &address);
    return 0;
}

static int ask_portmap(struct rpc_client *client, const struct endpoint *service, uint32_t program,
                       uint32_t version, uint16_t *port, struct error *error)
{
    struct pmap arguments = {.pm_prog = program,
                             .pm_vers = version,
                             .pm_prot =
                                 service->transport == TRANSPORT_TCP ? IPPROTO_TCP : IPPROTO_UDP};
    u_int answer;
    int code = rpc_client_call(client, &getport, &arguments, &answer, error);

    *port = code == 0 ? port_of(answer) : 0;
    return code;
}

static int ask(struct rpc_client *client, const struct endpoint *service, uint32_t program,
               uint32_t version, uint16_t *port, struct error *error)
{
    int code = -EPROTONOSUPPORT;

    for (size_t i = 0; i < sizeof getaddr / sizeof getaddr[0] && code == -EPROTONOSUPPORT; i++)
        code = ask_rpcbind(client, &getaddr[i], service, program, version, port, error);
    if (code == -EPROTONOSUPPORT && service->address.ss_family == AF_INET)
        code = ask_portmap(client, service, program, version, port, error);
    return code;
}

/* The port mapper of HOST. */
static struct endpoint portmapper_of(const struct endpoint *host)
{
    struct endpoint portmapper = *host;

    address_set_port(&portmapper.address, PMAPPORT);
    portmapper.reserved_port = false;
    return portmapper;
}

/* Connect to PORTMAPPER; WHAT is what it is asked for, for messages. */
static int open_portmapper(struct rpc_client **client, const struct endpoint *portmapper,
                           const char *what, const struct channel_options *options,
                           struct error *error)
{
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    char where[ENDPOINT_NAME_SIZE];
    int code = rpc_client_open(client, portmapper, &nobody, options, error);

    if (code)
        error_set(error, ERROR_UNREACHABLE, code,
                  "asking the port mapper at %s for %s: %s; without a port mapper, give --port and "
                  "--mount-port",
                  endpoint_describe(portmapper, where), what, strerror(-code));
    return code;
}

int portmap_lookup(struct endpoint *service, uint32_t program, uint32_t version, const char *name,
                   const struct channel_options *options, struct error *error)
{
    const struct endpoint portmapper = portmapper_of(service);
    struct rpc_client *client;
    char where[ENDPOINT_NAME_SIZE];
    uint16_t port = 0;
    int code = open_portmapper(&client, &portmapper, name, options, error);

    if (code)
        return code;
    code = ask(client, service, program, version, &port, error);
    rpc_client_close(client);
    if (code)
        return code;
    if (port == 0)
        return error_set(error, ERROR_UNREACHABLE, -ENOENT,
                         "the port mapper at %s has no %s version %u over %s "
                         "(RPC_PROGNOTREGISTERED); is the server running?",
                         endpoint_describe(&portmapper, where), name, version,
                         transport_name(service->transport));
    address_set_port(&service->address, port);
    return 0;
}

/* All registrations */

#define DUMP(name_, program_, version_, number_, xdr_)                                             \
    {                                                                                              \
        .name = name_, .program = program_, .version = version_, .number = number_,                \
        .xdr_arguments = (xdrproc_t)rpc_xdr_nothing, .xdr_result = (xdrproc_t)(xdr_),              \
        .result_size = sizeof(void *)                                                              \
    }

static const struct rpc_procedure rpcbind_dump[] = {DUMP("RPCBIND DUMP", RPCBPROG, RPCBVERS4,
                                                         RPCBPROC_DUMP, xdr_rpcblist),
                                                    DUMP("RPCBIND DUMP", RPCBPROG, RPCBVERS,
                                                         RPCBPROC_DUMP, xdr_rpcblist)},
                                  portmap_v2_dump = DUMP("PORTMAP DUMP", PMAPPROG, PMAPVERS,
                                                         PMAPPROC_DUMP, xdr_pmaplist);

/* What is done with each registration. */
struct taker {
    void (*take)(void *context, const struct portmap_entry *entry);
    void *context;
};

static void take_binding(const struct taker *taker, const rpcb *binding, bool v6)
{
    const char *netid = binding->r_netid ? binding->r_netid : "";
    bool tcp = strcmp(netid, v6 ? "tcp6" : "tcp") == 0;

    if (tcp || strcmp(netid, v6 ? "udp6" : "udp") == 0)
        taker->take(
            taker->context,
            &(struct portmap_entry){.program = (uint32_t)binding->r_prog,
                                    .version = (uint32_t)binding->r_vers,
                                    .transport = tcp ? TRANSPORT_TCP : TRANSPORT_UDP,
                                    .port = binding->r_addr ? universal_port(binding->r_addr) : 0});
}

static int dump_rpcbind(struct rpc_client *client, const struct rpc_procedure *procedure, bool v6,
                        const struct taker *taker, struct error *error)
{
    char nothing[1];
    struct rpcblist *first;
    int code = rpc_client_call(client, procedure, nothing, &first, error);

    if (code)
        return code;
    for (const struct rpcblist *at = first; at; at = at->rpcb_next)
        take_binding(taker, &at->rpcb_map, v6);
    xdr_free(procedure->xdr_result, &first);
    return 0;
}

static int dump_portmap(struct rpc_client *client, const struct taker *taker, struct error *error)
{
    char nothing[1];
    struct pmaplist *first;
    int code = rpc_client_call(client, &portmap_v2_dump, nothing, &first, error);

    if (code)
        return code;
    for (const struct pmaplist *at = first; at; at = at->pml_next)
        if (at->pml_map.pm_prot == IPPROTO_TCP || at->pml_map.pm_prot == IPPROTO_UDP)
            taker->take(taker->context,
                        &(struct portmap_entry){.program = (uint32_t)at->pml_map.pm_prog,
                                                .version = (uint32_t)at->pml_map.pm_vers,
                                                .transport = at->pml_map.pm_prot == IPPROTO_TCP
                                                                 ? TRANSPORT_TCP
                                                                 : TRANSPORT_UDP,
                                                .port = port_of(at->pml_map.pm_port)});
    xdr_free(portmap_v2_dump.xdr_result, &first);
    return 0;
}

int portmap_dump(const struct endpoint *host, const struct channel_options *options,
                 void (*take)(void *context, const struct portmap_entry *entry), void *context,
                 struct error *error)
{
    const struct endpoint portmapper = portmapper_of(host);
    const struct taker taker = {take, context};
    const bool v6 = host->address.ss_family == AF_INET6;
    struct rpc_client *client;
    int code = open_portmapper(&client, &portmapper, "its services", options, error);

    if (code)
        return code;
    code = -EPROTONOSUPPORT;
    for (size_t i = 0; i < sizeof rpcbind_dump / sizeof rpcbind_dump[0]; i++)
        if (code == -EPROTONOSUPPORT)
            code = dump_rpcbind(client, &rpcbind_dump[i], v6, &taker, error);
    if (code == -EPROTONOSUPPORT && !v6)
        code = dump_portmap(client, &taker, error);
    rpc_client_close(client);
    return code;
}

int service_has_version(const struct endpoint *service, uint32_t program, uint32_t version,
                        const struct channel_options *options, struct error *error)
{
    const struct rpc_procedure null = {.name = "NULL",
                                       .program = program,
                                       .version = version,
                                       .xdr_arguments = (xdrproc_t)rpc_xdr_nothing,
                                       .xdr_result = (xdrproc_t)rpc_xdr_nothing};
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    struct rpc_client *client;
    char nothing[1];
    int code = rpc_client_open(&client, service, &nobody, options, error);

    if (code)
        return code;
    code = rpc_client_call(client, &null, nothing, nothing, error);
    rpc_client_close(client);
    return code;
}
