/* RPC-with-TLS on the client's side (RFC 9289): after a connection is made, the server is asked for
 * TLS, and all calls over it go by the session that follows. There is no way back: where the server
 * has no TLS, or one side refuses the other, nothing is sent. What does this is an entry in a table
 * (protection.c), which the part security fills in. */
#pragma once

#include "engine/channel/channel.h"
#include "rpc/xprtsec.h"

struct socket_io;

/* What connections are protected with. */
struct tls_request {
    enum rpc_xprtsec how;
    struct rpc_tls_files files;
    const char *host;          /* name or address that the server's certificate must have */
    uint32_t program, version; /* of the probe */
};

/* How many sessions were begun, and how many of these resumed an earlier one. */
struct tls_counts {
    uint64_t begun, resumed;
};

/* How long the beginning of a session took, and what came of it. */
struct tls_handshake {
    uint64_t probe_ns; /* the call with AUTH_TLS */
    uint64_t tls_ns;   /* from the ClientHello on */
    bool resumed;      /* it resumed an earlier one */
    char description[RPC_TLS_TEXT_SIZE];
};

/* What all connections of a run have in common, as the first member of what its type makes of it.
 */
struct tls_client {
    const struct tls_client_type *type;
};

/* The session of a connection, and what stands in the place of its socket's calls. Zeroed, there is
 * none. */
struct tls_session {
    struct load_watched watched; /* who observes its calls; set by the owner */
    const struct tls_client_type *type;
    struct rpc_tls *tls; /* NULL: there is no session */
    struct load_watch calls;
    struct tls_handshake handshake;
};

struct tls_client_type {
    /* 0; or a negative errno with ERROR set: -EINVAL for a file that can't be used. */
    int (*open)(struct tls_client **client, const struct tls_request *request, struct error *error);
    void (*close)(struct tls_client *client);

    /* From now on, resume earlier sessions where the server allows it (the default), or don't.
     * Threads may begin sessions meanwhile. */
    void (*resume)(struct tls_client *client, bool resumes);
    struct tls_counts (*counts)(const struct tls_client *client);

    /* As tls_session_begin(), with a CLIENT; what ends it; and why it failed with -EPROTO. */
    int (*begin)(struct tls_session *session, struct tls_client *client, struct socket_io *io,
                 const struct endpoint *endpoint, struct error *error);
    void (*end)(struct rpc_tls *tls);
    const char *(*why)(const struct rpc_tls *tls);
};

/* Open a client by what is in the table. As its open(), or -ENOTSUP if there is nothing. */
int tls_client_open(struct tls_client **client, const struct tls_request *request,
                    struct error *error);

/* Begin a session over the socket of IO, which is connected to ENDPOINT, and on which IO's wait is
 * set. CLIENT may be NULL: then there is none. Returns 0; -EPROTO when the server has no TLS, or
 * one side refuses the other; or what became of the connection, such as -ECONNRESET, -ETIMEDOUT and
 * -EINTR; with ERROR set. */
int tls_session_begin(struct tls_session *session, struct tls_client *client, struct socket_io *io,
                      const struct endpoint *endpoint, struct error *error);
void tls_session_end(struct tls_session *session);

/* Set ERROR: TLS over the connection to ENDPOINT failed. Returns -EPROTO. */
int tls_session_describe(const struct tls_session *session, const struct endpoint *endpoint,
                         struct error *error);
