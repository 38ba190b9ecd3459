/* RPC-with-TLS in the server (RFC 9289): sessions over its connections. What does this is an entry
 * in a table (server/protection.c), which the part security fills in. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "common/error.h"
#include "rpc/wire.h"
#include "rpc/xprtsec.h"

struct rpc_tls;

/* What all sessions have in common, as the first member of what its type makes of it. */
struct tls_server {
    const struct tls_server_type *type;
};

struct tls_server_type {
    /* As tls_server_open(). */
    int (*open)(struct tls_server **server, const struct rpc_tls_files *files, bool clients_must,
                struct error *error);
    void (*close)(struct tls_server *server);

    /* Before the first session: give no tickets, by which sessions are resumed. */
    void (*give_no_tickets)(struct tls_server *server);

    /* Write the reply to the probe of the call XID, after which a session begins. */
    void (*put_reply)(struct wire_writer *writer, uint32_t xid);

    /* A session over FD, which stays the caller's. 0 or -ENOMEM. */
    int (*begin)(struct tls_server *server, struct rpc_tls **session, int fd);
    void (*end)(struct rpc_tls *session);

    /* Take the handshake as far as the socket allows. 0 when it is done; -EAGAIN; -EPROTO when one
     * side refuses the other; or another error of the socket. */
    int (*handshake)(struct rpc_tls *session);

    /* As recv() and sendmsg() with FLAGS (security/tls.h). */
    ssize_t (*receive)(struct rpc_tls *session, void *bytes, size_t room, int flags);
    ssize_t (*send)(struct rpc_tls *session, const struct iovec *parts, size_t count, int flags);
};

/* Clients may have a certificate if FILES has authorities, and must have one if CLIENTS_MUST. 0;
 * -ENOTSUP if the table is empty; or -EINVAL for a file that can't be used; with ERROR set. */
int tls_server_open(struct tls_server **server, const struct rpc_tls_files *files,
                    bool clients_must, struct error *error);
