/* The records of a TLS session: sending and receiving over its socket. tls.c opens and closes the
 * session. Only tls.c and tls_records.c include this header. */
#pragma once

#include <openssl/ssl.h>

#include "security/tls.h"

struct rpc_tls {
    SSL *openssl;
    int fd;
    struct rpc_tls_calls calls; /* functions that use the socket */
    int flags;        /* flags of the present call, for send() and recv() (see tls_begin()) */
    bool may_receive; /* the present call may still call recv() */
    bool received;    /* the present call has received bytes */
    int number;       /* if OpenSSL fails: errno of the latest use of FD; 0: the peer has closed */
    size_t pending;   /* plaintext bytes of a partly sent record, all to be passed again; 0: none */
    size_t record;    /* argument RECEIVED of the next CALLS.decrypted() */
    size_t skipped;   /* argument SKIPPED of the next CALLS.decrypted() */
    bool failed;      /* the session failed for good */
    char why[RPC_TLS_TEXT_SIZE];
};

/* Make the functions by which OpenSSL uses the sockets of a context's sessions. Returns NULL if
 * there is no memory. */
BIO_METHOD *tls_socket_method(void);

/* Let TLS, whose OPENSSL is set, use FD by METHOD. Returns 0 or -ENOMEM. */
int tls_use_socket(struct rpc_tls *tls, const BIO_METHOD *method, int fd);

/* Prepare a call of an OpenSSL function that uses the socket. FLAGS are for send() and recv(). */
void tls_begin(struct rpc_tls *tls, int flags);

/* Return the errno for RETURNED, the result of an OpenSSL function that failed; 0: the peer has
 * closed the connection; EPROTO: TLS has failed for good. */
int tls_find_errno(struct rpc_tls *tls, int returned);

/* Record that TLS failed for good, and WHY (NULL: as OpenSSL says). Returns EPROTO. */
int tls_fail(struct rpc_tls *tls, const char *why);

/* Return OpenSSL's message for error NUMBER of its queue. */
const char *tls_reason(unsigned long number);
