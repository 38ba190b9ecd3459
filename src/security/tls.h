/* TLS 1.3 below ONC RPC (RFC 9289), by OpenSSL: sessions over connected sockets. A session's
 * functions replace those of the kernel, and block only if the socket does.
 *
 * A client's handshake resumes the latest session for which the server gave a ticket (RFC 8446
 * section 2.2). Neither side sends or accepts early data (RFC 9289 section 7), because anybody
 * could replay them. RPC has no profile (RFC 8446 appendix E.5) that lists calls whose replay is
 * harmless. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "common/error.h"
#include "rpc/xprtsec.h"

/* State of all sessions of a client or of a server. */
struct rpc_tls_context;

/* Make CONTEXT for a client. The server must present a certificate of FILES' authorities or,
 * without them, the system's. Returns 0; or, with ERROR set, -EINVAL for a file that can't be used,
 * or -ENOMEM. */
int rpc_tls_context_open_client(struct rpc_tls_context **context, const struct rpc_tls_files *files,
                                struct error *error);

/* Make CONTEXT for a server, which gives tickets. If FILES has authorities, clients may present a
 * certificate, and must if CLIENTS_MUST. Returns 0; or -EINVAL or -ENOMEM with ERROR set. */
int rpc_tls_context_open_server(struct rpc_tls_context **context, const struct rpc_tls_files *files,
                                bool clients_must, struct error *error);

/* Let CONTEXT, which is a server's, give no tickets. Call before its first session. */
void rpc_tls_context_give_no_tickets(struct rpc_tls_context *context);

/* Set whether new sessions of CONTEXT, which is a client's, resume an earlier one. Other threads
 * may open sessions meanwhile. */
void rpc_tls_context_resume(struct rpc_tls_context *context, bool resumes);

void rpc_tls_context_close(struct rpc_tls_context *context);

struct rpc_tls;

/* Open a session over FD, which stays the caller's. HOST is the name or address in the server's
 * certificate; NULL: this is the server. HOST must be the same for all sessions of CONTEXT, because
 * a resumed session does not check the certificate. Returns 0 or -ENOMEM. */
int rpc_tls_open(struct rpc_tls **tls, struct rpc_tls_context *context, int fd, const char *host);

/* Functions that replace send() and recv(), and functions (or NULL) that are called after each
 * record was encrypted or decrypted. BYTES: length of the record's contents. RECEIVED: bytes of the
 * stream that the record took. SKIPPED: other bytes of the stream since the last record, such as
 * those of the handshake. If a record is read in parts, decrypted() is called for each part: BYTES
 * is then the part's length, and RECEIVED and SKIPPED are 0 except for the first part. */
struct rpc_tls_calls {
    ssize_t (*send)(void *context, int fd, const void *bytes, size_t length, int flags);
    ssize_t (*receive)(void *context, int fd, void *bytes, size_t room, int flags);
    void (*encrypted)(void *context, size_t bytes);
    void (*decrypted)(void *context, size_t bytes, size_t received, size_t skipped);
    void *context;
};

/* Use CALLS from now on. Call before the handshake. The kernel then encrypts nothing, because its
 * encryption could not be timed. */
void rpc_tls_observe(struct rpc_tls *tls, const struct rpc_tls_calls *calls);

/* Free TLS without sending TLS's close, because RPC's records say where messages end. */
void rpc_tls_close(struct rpc_tls *tls);

/* Continue the handshake as far as the socket allows. Returns 0 when it is done; -EAGAIN or -EINTR
 * if it must be continued; -EPROTO if one side refuses the other, or breaks the protocol;
 * -ECONNRESET; or another error of the socket. */
int rpc_tls_handshake(struct rpc_tls *tls);

bool rpc_tls_resumed(const struct rpc_tls *tls);

/* Receive like recv() with FLAGS. If decrypted bytes are left, returns them without a system call.
 * Otherwise makes at most one system call, or two if the kernel decrypts. errno may also be EPROTO,
 * or EINTR if no data record is complete. */
ssize_t rpc_tls_receive(struct rpc_tls *tls, void *bytes, size_t room, int flags);

/* Send COUNT PARTS like sendmsg() with FLAGS; errno may also be EPROTO. If not all bytes were sent,
 * the next call must begin with the rest, which may have moved, and may add bytes after it. */
ssize_t rpc_tls_send(struct rpc_tls *tls, const struct iovec *parts, size_t count, int flags);

/* Write to TEXT the version, the cipher, and whether the kernel encrypts, decrypts or does both,
 * such as "TLSv1.3 TLS_AES_256_GCM_SHA384 with kTLS". Returns TEXT. */
const char *rpc_tls_describe(const struct rpc_tls *tls, char text[RPC_TLS_TEXT_SIZE]);

/* Return the reason of the latest EPROTO, such as OpenSSL's message. */
const char *rpc_tls_why(const struct rpc_tls *tls);
