#include "serve/server.h"

#include <errno.h>
#include <netconfig.h>
#include <netinet/in.h>
#include <rpc/rpc.h>
#include <rpc/rpcb_clnt.h>
#include <stddef.h>

#include "mount3.h"
#include "nfs3.h"
#include "nfs_acl.h"

static const struct {
    const char *name;
    rpcprog_t number;
    rpcvers_t version;
} programs[] = {
    {"NFS", NFS_PROGRAM, NFS_V3},
    {"MOUNT", MOUNT_PROGRAM, MOUNT_V3},
    {"NFS_ACL", NFS_ACL_PROGRAM, NFS_ACL_V3},
};

/* Names in /etc/netconfig. */
static const char *const transports[] = {"udp", "tcp", "udp6", "tcp6"};

enum {
    PROGRAMS = sizeof programs / sizeof programs[0],
    TRANSPORTS = sizeof transports / sizeof transports[0],
    FIRST_IPV6 = 2, /* index in TRANSPORTS */
};

static uint32_t bit_of(size_t program, size_t transport)
{
    return 1u << (program * TRANSPORTS + transport);
}

/* Make an unspecified address, which rpcbind replaces by the address at which a client asks. */
static struct netbuf any_address(struct sockaddr_storage *address, bool ipv6, uint16_t port)
{
    struct sockaddr_in *in = (struct sockaddr_in *)address;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)address;
    unsigned length = ipv6 ? sizeof *in6 : sizeof *in;

    *address = (struct sockaddr_storage){.ss_family = ipv6 ? AF_INET6 : AF_INET};
    if (ipv6)
        in6->sin6_port = htons(port);
    else
        in->sin_port = htons(port);
    return (struct netbuf){.maxlen = length, .len = length, .buf = address};
}

static int refuse(size_t program, size_t transport, struct error *error)
{
    if (rpc_createerr.cf_stat != RPC_SUCCESS)
        return error_set(error, ERROR_UNREACHABLE, -ECONNREFUSED,
                         "--register: this machine's rpcbind can't be reached: %s; is it running?",
                         clnt_sperrno(rpc_createerr.cf_stat));
    return error_set(
        error, ERROR_FAILED, -EEXIST,
        "--register: rpcbind refuses %s version %u over %s: another server has registered it "
        "('rpcinfo' lists the entries, 'rpcinfo -d %u %u' removes those of a dead server)",
        programs[program].name, (unsigned)programs[program].version, transports[transport],
        (unsigned)programs[program].number, (unsigned)programs[program].version);
}

/* Register one program over one transport, unless this machine lacks the transport. */
static int register_one(struct registration *registration, size_t program, size_t transport,
                        uint16_t port, struct error *error)
{
    struct netconfig *config = getnetconfigent(transports[transport]);
    struct sockaddr_storage address;
    struct netbuf where = any_address(&address, transport >= FIRST_IPV6, port);
    bool good;

    if (!config)
        return 0;
    rpc_createerr.cf_stat = RPC_SUCCESS;
    good = rpcb_set(programs[program].number, programs[program].version, config, &where);
    freenetconfigent(config);
    if (!good)
        return refuse(program, transport, error);
    registration->entries |= bit_of(program, transport);
    return 0;
}

int registration_make(struct registration *registration, uint16_t port, bool ipv4, bool ipv6,
                      struct error *error)
{
    int code = 0;

    registration->entries = 0;
    for (size_t i = 0; i < PROGRAMS * TRANSPORTS && code == 0; i++) {
        size_t transport = i % TRANSPORTS;

        if (transport >= FIRST_IPV6 ? ipv6 : ipv4)
            code = register_one(registration, i / TRANSPORTS, transport, port, error);
    }
    if (code)
        registration_end(registration);
    return code;
}

void registration_end(struct registration *registration)
{
    for (size_t i = 0; i < PROGRAMS * TRANSPORTS; i++) {
        size_t program = i / TRANSPORTS, transport = i % TRANSPORTS;
        struct netconfig *config = NULL;

        if (registration->entries & bit_of(program, transport))
            config = getnetconfigent(transports[transport]);
        if (!config)
            continue;
        rpcb_unset(programs[program].number, programs[program].version, config);
        freenetconfigent(config);
    }
    registration->entries = 0;
}
