/* RPC-with-TLS in the server (RFC 9289): TLS sessions over its connections. The implementation is
 * an entry in a table (serve/protection.c), which src/security provides if it is built. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "common/error.h"
#include "rpc/wire.h"
#include "rpc/xprtsec.h"

struct rpc_tls;

/* The state that all sessions share, with which an implementation's own structure begins. */
struct tls_server {
    const struct tls_server_type *type;
};

struct tls_server_type {
    /* See tls_server_open(). */
    int (*open)(struct tls_server **server, const struct rpc_tls_files *files, bool clients_must,
                struct error *error);
    void (*close)(struct tls_server *server);

    /* Give no tickets, so that sessions cannot be resumed. Call before the first session. */
    void (*give_no_tickets)(struct tls_server *server);

    /* Write the reply to the TLS probe whose xid is XID. A session begins after the reply. */
    void (*put_reply)(struct wire_writer *writer, uint32_t xid);

    /* Begin a session over FD, which stays the caller's. Returns 0 or -ENOMEM. */
    int (*begin)(struct tls_server *server, struct rpc_tls **session, int fd);
    void (*end)(struct rpc_tls *session);

    /* Continue the handshake as far as the socket allows. Returns 0 when it is done; -EAGAIN or
     * -EINTR if it must be continued; -EPROTO if one side refuses the other, or breaks the
     * protocol; or another error of the socket. */
    int (*handshake)(struct rpc_tls *session);

    /* See rpc_tls_receive() and rpc_tls_send() in security/tls.h. */
    ssize_t (*receive)(struct rpc_tls *session, void *bytes, size_t room, int flags);
    ssize_t (*send)(struct rpc_tls *session, const struct iovec *parts, size_t count, int flags);
};

/* Read FILES and make a server. Clients may have a certificate if FILES has authorities, and must
 * have one if CLIENTS_MUST. Returns 0; or, with ERROR set, -ENOTSUP if this build has no TLS,
 * -EINVAL if a file can't be used, or -ENOMEM. */
int tls_server_open(struct tls_server **server, const struct rpc_tls_files *files,
                    bool clients_must, struct error *error);
