/* The records of a session of TLS, over its socket: what is sent and received. tls.c opens and
 * closes the session; only these two files include this one. */
#pragma once

#include <openssl/ssl.h>

#include "security/tls.h"

struct rpc_tls {
    SSL *openssl;
    int fd;
    struct rpc_tls_calls calls; /* of its socket */
    int flags;                  /* of the present call, for send() and recv() */
    bool may_receive;           /* the present call has not called recv() yet */
    bool received;              /* it has, and bytes came */
    int number;                 /* errno of the socket's latest failure */
    size_t pending;             /* bytes of a record that the socket has not taken whole */
    size_t record;              /* bytes of the stream that the latest record takes, if CALLS
                                 * want that and do not have it yet */
    size_t skipped;             /* likewise, those before it */
    bool failed;                /* for good */
    char why[RPC_TLS_TEXT_SIZE];
};

/* By which OpenSSL uses the sockets of a context's sessions. NULL without memory. */
BIO_METHOD *tls_socket_method(void);

/* Let TLS, which has its OPENSSL, use FD by METHOD. Returns 0 or -ENOMEM. */
int tls_use_socket(struct rpc_tls *tls, const BIO_METHOD *method, int fd);

/* Before a call of OpenSSL's that uses the socket, with FLAGS for send() and recv(). */
void tls_begin(struct rpc_tls *tls, int flags);

/* The errno for what OpenSSL RETURNED, if it is not success; 0: the other side has closed. */
int tls_find_errno(struct rpc_tls *tls, int returned);

/* Note that TLS failed for good, and WHY; NULL: as OpenSSL says. Returns EPROTO. */
int tls_fail(struct rpc_tls *tls, const char *why);

/* OpenSSL's words for an error NUMBER of its queue. */
const char *tls_reason(unsigned long number);
