/* How the transport of calls is protected, by the names in mount's option xprtsec=. */
#pragma once

enum rpc_xprtsec {
    RPC_XPRTSEC_NONE, /* the weakest first */
    RPC_XPRTSEC_TLS,  /* RPC-with-TLS (RFC 9289): the server has a certificate */
    RPC_XPRTSEC_MTLS, /* the client has one, too */
};

/* "none", "tls", "mtls". */
static inline const char *rpc_xprtsec_name(enum rpc_xprtsec how)
{
    static const char *const names[] = {"none", "tls", "mtls"};

    return names[how];
}

/* Files in PEM. NULL: there is none. */
struct rpc_tls_files {
    const char *authorities; /* that the other side's certificate is of; a client: the system's */
    const char *certificate, *key; /* the own ones */
};

enum {
    /* With room for so many bytes, a receive keeps none back that it has decrypted, so that epoll
     * reports all that are left. */
    RPC_TLS_ROOM = 20 * 1024,
    RPC_TLS_TEXT_SIZE = 160, /* of what is said of a session */
};
