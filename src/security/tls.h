/* TLS 1.3 below ONC RPC (RFC 9289), by OpenSSL: sessions over connected sockets, whose calls send
 * and receive in the place of the kernel's. A session never waits by itself: its socket does, where
 * it is one that waits.
 *
 * A client's handshakes resume the latest session for which the server gave a ticket (RFC 8446
 * section 2.2), if there is one. Neither side sends or takes early data (RFC 9289 section 7): that
 * anybody could send again, and RPC has no profile that says which calls this would do no harm to
 * (RFC 8446 appendix E.5). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "common/error.h"
#include "rpc/xprtsec.h"

/* What all sessions of a client, or of a server, have in common. */
struct rpc_tls_context;

/* A client's: servers must have a certificate. Returns 0, or -EINVAL for a file that can't be used,
 * with ERROR set. */
int rpc_tls_context_open_client(struct rpc_tls_context **context, const struct rpc_tls_files *files,
                                struct error *error);

/* A server's: clients may have a certificate if FILES has authorities, and must have one if
 * CLIENTS_MUST. It gives tickets. */
int rpc_tls_context_open_server(struct rpc_tls_context **context, const struct rpc_tls_files *files,
                                bool clients_must, struct error *error);

/* A server, before its first session: give no tickets. */
void rpc_tls_context_give_no_tickets(struct rpc_tls_context *context);

/* A client: from now on, resume sessions, or don't. Threads may open sessions meanwhile. */
void rpc_tls_context_resume(struct rpc_tls_context *context, bool resumes);

void rpc_tls_context_close(struct rpc_tls_context *context);

struct rpc_tls;

/* A session over FD, which stays the caller's. HOST: the name or address that the certificate of
 * the server must have, the same for all sessions of a context, as the certificate is not looked at
 * again when a session is resumed; NULL: this is the server. 0 or -ENOMEM. */
int rpc_tls_open(struct rpc_tls **tls, struct rpc_tls_context *context, int fd, const char *host);

/* What is called in the place of send() and recv(), and, where they are not NULL, after each
 * record: it had BYTES before it was encrypted and sent, or after it was decrypted, and then took
 * RECEIVED bytes of the stream, after SKIPPED bytes of others that came since the last one, such as
 * those of the handshake. */
struct rpc_tls_calls {
    ssize_t (*send)(void *context, int fd, const void *bytes, size_t length, int flags);
    ssize_t (*receive)(void *context, int fd, void *bytes, size_t room, int flags);
    void (*encrypted)(void *context, size_t bytes);
    void (*decrypted)(void *context, size_t bytes, size_t received, size_t skipped);
    void *context;
};

/* Send and receive by CALLS from now on, before the handshake: the kernel then encrypts nothing, as
 * what is done by it can't be told apart. */
void rpc_tls_observe(struct rpc_tls *tls, const struct rpc_tls_calls *calls);

/* Free it without a farewell: RPC's own records say where messages end. */
void rpc_tls_close(struct rpc_tls *tls);

/* Take the handshake as far as the socket allows. Returns 0 when it is done; -EAGAIN; -EPROTO when
 * one side refuses the other, or breaks the protocol; -ECONNRESET; or another error of the socket.
 */
int rpc_tls_handshake(struct rpc_tls *tls);

/* After the handshake: was an earlier session resumed? */
bool rpc_tls_resumed(const struct rpc_tls *tls);

/* As recv() with FLAGS, with one system call at most, or none for bytes that were kept back.
 * Errors, in errno: EINTR also when what came is not a whole record yet; EPROTO. */
ssize_t rpc_tls_receive(struct rpc_tls *tls, void *bytes, size_t room, int flags);

/* As sendmsg() of COUNT PARTS with FLAGS. After EAGAIN the next call must be for the same bytes,
 * wherever they are then, and may be for more after them. */
ssize_t rpc_tls_send(struct rpc_tls *tls, const struct iovec *parts, size_t count, int flags);

/* Version, cipher, and who encrypts: "TLSv1.3 TLS_AES_256_GCM_SHA384 without kTLS". Returns TEXT.
 */
const char *rpc_tls_describe(const struct rpc_tls *tls, char text[RPC_TLS_TEXT_SIZE]);

/* OpenSSL's words for the latest EPROTO. */
const char *rpc_tls_why(const struct rpc_tls *tls);
