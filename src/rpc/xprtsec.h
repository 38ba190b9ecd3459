/* Protection of the transport of calls, with the names of mount's option xprtsec=. Values are in
 * ascending order of strength. */
#pragma once

enum rpc_xprtsec {
    RPC_XPRTSEC_NONE, /* no protection */
    RPC_XPRTSEC_TLS,  /* RPC-with-TLS (RFC 9289) with a server certificate */
    RPC_XPRTSEC_MTLS, /* RPC-with-TLS (RFC 9289) with certificates of server and client */
};

static inline const char *rpc_xprtsec_name(enum rpc_xprtsec how)
{
    static const char *const names[] = {"none", "tls", "mtls"};

    return names[how];
}

/* Names of PEM files. NULL: none. */
struct rpc_tls_files {
    /* trusted authorities; on a client, NULL means the system's authorities */
    const char *authorities;
    const char *certificate, *key; /* own certificate and key */
};

enum {
    /* A receive with room for this many bytes delivers all bytes that are already decrypted. All
     * other bytes are still in the socket, where epoll sees them. */
    RPC_TLS_ROOM = 20 * 1024,
    RPC_TLS_TEXT_SIZE = 160, /* size of a session's description, bytes */
};
