/* Asks a port mapper for the port of a program or for all registrations, and a service for a
 * version. The protocol's types are from libtirpc. */
#include "target/mount.h"

#include <rpc/rpc.h>

#include <errno.h>
#include <netinet/in.h>
#include <rpc/pmap_prot.h>
#include <stdio.h>
#include <string.h>

#include "common/address.h"
#include "engine/channel/rpc_client.h"

/* Maximum length in bytes. RFC 1833 has no limit; an IPv6 address takes about 50 bytes. */
enum { UNIVERSAL_ADDRESS_MAXIMUM = 256 };

static bool_t xdr_universal_address(XDR *xdr, char **address)
{
    return xdr_string(xdr, address, UNIVERSAL_ADDRESS_MAXIMUM);
}

/* Versions of the protocol in the order of trying: rpcbind 4, rpcbind 3, port mapper 2. */
enum { RPCBIND_4, RPCBIND_3, PORTMAP_2, PORTMAPPERS };

union answer {
    char *address;
    u_int port;
    struct rpcblist *bindings;
    struct pmaplist *mappings;
};

#define PROCEDURE(name_, program_, version_, number_, arguments_, result_)                         \
    {                                                                                              \
        .name = name_, .program = program_, .version = version_, .number = number_,                \
        .xdr_arguments = (xdrproc_t)(arguments_), .xdr_result = (xdrproc_t)(result_),              \
        .result_size = sizeof(union answer)                                                        \
    }

static const struct rpc_procedure lookup_procedures[PORTMAPPERS] = {
    PROCEDURE("RPCBIND GETADDR", RPCBPROG, RPCBVERS4, RPCBPROC_GETADDR, xdr_rpcb,
              xdr_universal_address),
    PROCEDURE("RPCBIND GETADDR", RPCBPROG, RPCBVERS, RPCBPROC_GETADDR, xdr_rpcb,
              xdr_universal_address),
    PROCEDURE("PORTMAP GETPORT", PMAPPROG, PMAPVERS, PMAPPROC_GETPORT, xdr_pmap, xdr_u_int)};

static const struct rpc_procedure dump_procedures[PORTMAPPERS] = {
    PROCEDURE("RPCBIND DUMP", RPCBPROG, RPCBVERS4, RPCBPROC_DUMP, rpc_xdr_nothing, xdr_rpcblist),
    PROCEDURE("RPCBIND DUMP", RPCBPROG, RPCBVERS, RPCBPROC_DUMP, rpc_xdr_nothing, xdr_rpcblist),
    PROCEDURE("PORTMAP DUMP", PMAPPROG, PMAPVERS, PMAPPROC_DUMP, rpc_xdr_nothing, xdr_pmaplist)};

/* A question to a port mapper. Arrays are indexed by version (RPCBIND_4 and so on). */
struct question {
    const char *what; /* subject of the question, for messages */
    const struct rpc_procedure *procedures;
    void *arguments[PORTMAPPERS];
    void (*take[PORTMAPPERS])(void *into, const union answer *answer);
    void *into;
};

static struct endpoint portmapper_of(const struct endpoint *host)
{
    struct endpoint portmapper = *host;

    address_set_port(&portmapper.address, PMAPPORT);
    portmapper.reserved_port = false;
    return portmapper;
}

/* Ask PORTMAPPER the QUESTION. Version 2, which does not support IPv6, is skipped over IPv6. */
static int ask_portmapper(const struct endpoint *portmapper, const struct question *question,
                          const struct channel_options *options, struct error *error)
{
    const struct identity nobody = {.flavor = RPC_FLAVOR_NONE};
    const bool v6 = portmapper->address.ss_family == AF_INET6;
    char where[ENDPOINT_NAME_SIZE];
    struct rpc_client *client;
    union answer answer;
    int code = rpc_client_open(&client, portmapper, &nobody, options, error);

    if (code)
        return error_set(error, ERROR_UNREACHABLE, code,
                         "asking the port mapper at %s for %s: %s; without a port mapper, give "
                         "--port and --mount-port",
                         endpoint_describe(portmapper, where), question->what, strerror(-code));
    code = -EPROTONOSUPPORT;
    for (int i = 0; i < PORTMAPPERS - v6 && code == -EPROTONOSUPPORT; i++) {
        code = rpc_client_call(client, &question->procedures[i], question->arguments[i], &answer,
                               error);
        if (code)
            continue;
        question->take[i](question->into, &answer);
        xdr_free(question->procedures[i].xdr_result, &answer);
    }
    rpc_client_close(client);
    return code;
}

static uint16_t port_of(unsigned long number)
{
    return number <= UINT16_MAX ? (uint16_t)number : 0;
}

static void take_address(void *port, const union answer *answer)
{
    *(uint16_t *)port = answer->address ? address_universal_port(answer->address) : 0;
}

static void take_port(void *port, const union answer *answer)
{
    *(uint16_t *)port = port_of(answer->port);
}

int portmap_lookup(struct endpoint *service, uint32_t program, uint32_t version, const char *name,
                   const struct channel_options *options, struct error *error)
{
    const struct endpoint portmapper = portmapper_of(service);
    const bool tcp = service->transport == TRANSPORT_TCP;
    char netid[8], empty[1] = "", where[ENDPOINT_NAME_SIZE];
    rpcb binding = {
        .r_prog = program, .r_vers = version, .r_netid = netid, .r_addr = empty, .r_owner = empty};
    struct pmap mapping = {
        .pm_prog = program, .pm_vers = version, .pm_prot = tcp ? IPPROTO_TCP : IPPROTO_UDP};
    uint16_t port = 0;
    const struct question question = {name,
                                      lookup_procedures,
                                      {&binding, &binding, &mapping},
                                      {take_address, take_address, take_port},
                                      &port};
    int code;

    snprintf(netid, sizeof netid, "%s%s", tcp ? "tcp" : "udp",
             service->address.ss_family == AF_INET6 ? "6" : "");
    code = ask_portmapper(&portmapper, &question, options, error);
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

struct taker {
    void (*take)(void *context, const struct portmap_entry *entry);
    void *context;
    bool v6; /* true: take entries of IPv6; false: of IPv4 */
};

static void take_entry(const struct taker *taker, unsigned long program, unsigned long version,
                       bool tcp, uint16_t port)
{
    const struct portmap_entry entry = {.program = (uint32_t)program,
                                        .version = (uint32_t)version,
                                        .transport = tcp ? TRANSPORT_TCP : TRANSPORT_UDP,
                                        .port = port};

    taker->take(taker->context, &entry);
}

static void take_bindings(void *into, const union answer *answer)
{
    const struct taker *taker = into;

    for (const struct rpcblist *at = answer->bindings; at; at = at->rpcb_next) {
        const rpcb *binding = &at->rpcb_map;
        const char *netid = binding->r_netid ? binding->r_netid : "";
        bool tcp = strcmp(netid, taker->v6 ? "tcp6" : "tcp") == 0;

        if (tcp || strcmp(netid, taker->v6 ? "udp6" : "udp") == 0)
            take_entry(taker, binding->r_prog, binding->r_vers, tcp,
                       binding->r_addr ? address_universal_port(binding->r_addr) : 0);
    }
}

static void take_mappings(void *into, const union answer *answer)
{
    for (const struct pmaplist *at = answer->mappings; at; at = at->pml_next) {
        const struct pmap *mapping = &at->pml_map;
        bool tcp = mapping->pm_prot == IPPROTO_TCP;

        if (tcp || mapping->pm_prot == IPPROTO_UDP)
            take_entry(into, mapping->pm_prog, mapping->pm_vers, tcp, port_of(mapping->pm_port));
    }
}

int portmap_dump(const struct endpoint *host, const struct channel_options *options,
                 void (*take)(void *context, const struct portmap_entry *entry), void *context,
                 struct error *error)
{
    const struct endpoint portmapper = portmapper_of(host);
    struct taker taker = {take, context, host->address.ss_family == AF_INET6};
    char nothing[1];
    const struct question question = {"its services",
                                      dump_procedures,
                                      {nothing, nothing, nothing},
                                      {take_bindings, take_bindings, take_mappings},
                                      &taker};

    return ask_portmapper(&portmapper, &question, options, error);
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
