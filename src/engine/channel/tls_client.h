/* RPC-with-TLS, client side (RFC 9289). After a connection is made, a probe asks the server for
 * TLS; then all calls use the TLS session. There is no fallback: if the server has no TLS, or one
 * side refuses the other, no call is sent. The implementation is in src/security. A table in
 * protection.c points to it. */
#pragma once

#include "engine/channel/channel.h"
#include "rpc/xprtsec.h"

struct socket_io;

struct tls_request {
    enum rpc_xprtsec how;
    struct rpc_tls_files files;
    const char *host;          /* name or address that the server's certificate must contain */
    uint32_t program, version; /* program and version that the probe calls */
};

/* BEGUN: number of sessions whose handshake succeeded. RESUMED: number of those sessions that
 * resumed an earlier one. */
struct tls_counts {
    uint64_t begun, resumed;
};

/* Duration and result of beginning a session. */
struct tls_handshake {
    uint64_t probe_ns; /* duration of the probe, a call with AUTH_TLS */
    uint64_t tls_ns;   /* duration of TLS's handshake */
    bool resumed;      /* true: the session resumed an earlier one */
    char description[RPC_TLS_TEXT_SIZE];
};

/* Settings shared by all connections of a run; first member of each implementation's structure. */
struct tls_client {
    const struct tls_client_type *type;
};

/* TLS session of one connection. To send and receive, use the functions of CALLS instead of system
 * calls on the socket. Zero the structure before its first use. */
struct tls_session {
    struct load_watched watched; /* observer of the session, if any; set by the owner */
    const struct tls_client_type *type;
    struct rpc_tls *tls; /* NULL: no session */
    struct load_watch calls;
    struct tls_handshake handshake;
};

struct tls_client_type {
    /* Open *CLIENT. Returns 0, or a negative errno with ERROR set: -EINVAL for a bad file. */
    int (*open)(struct tls_client **client, const struct tls_request *request, struct error *error);
    void (*close)(struct tls_client *client);

    /* Set whether later sessions resume earlier ones if the server allows it (default: true). May
     * be called while other threads begin sessions. */
    void (*resume)(struct tls_client *client, bool resumes);
    struct tls_counts (*counts)(const struct tls_client *client);

    /* begin() begins a session (see tls_session_begin()), and end() ends it. After the session has
     * failed with -EPROTO, why() returns the reason. */
    int (*begin)(struct tls_session *session, struct tls_client *client, struct socket_io *io,
                 const struct endpoint *endpoint, struct error *error);
    void (*end)(struct rpc_tls *tls);
    const char *(*why)(const struct rpc_tls *tls);
};

/* Open a client with the implementation in the table. Returns the result of the implementation's
 * open(), or -ENOTSUP if this program was built without TLS. */
int tls_client_open(struct tls_client **client, const struct tls_request *request,
                    struct error *error);

/* End SESSION if there is one. Then, unless CLIENT is NULL, begin a session on the socket of IO,
 * which is connected to ENDPOINT. IO's wait must be set. Returns 0, or a negative errno with ERROR
 * set: -EPROTO if the server has no TLS or one side refuses the other; otherwise the connection's
 * error, such as -ECONNRESET or -EINTR. */
int tls_session_begin(struct tls_session *session, struct tls_client *client, struct socket_io *io,
                      const struct endpoint *endpoint, struct error *error);
void tls_session_end(struct tls_session *session);

/* Set ERROR to why TLS over the connection to ENDPOINT failed. Returns -EPROTO. */
int tls_session_describe(const struct tls_session *session, const struct endpoint *endpoint,
                         struct error *error);
