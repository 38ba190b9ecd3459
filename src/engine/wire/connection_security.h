/* Kerberos protection of a connection's calls (connection_protect()), and TLS below it. */
#pragma once

#include "engine/wire/connection.h"

/* Free the memory by which CONNECTION protects calls, but not the security context, which the
 * caller owns. */
void connection_unprotect(struct connection *connection);

/* Protect CALL and add it to the transmit buffer. If the server no longer knows the security
 * context, a new one is established first. A call that can't be protected is not sent, but stays in
 * flight, and connection_send() returns the error. */
void connection_transmit_protected(struct connection *connection, const struct call_slot *call);

/* connection_release() releases the sequence number of CALL, which will be sent again.
 * connection_release_all() releases the numbers of all calls, because no more replies are expected.
 * Nothing is done if calls are not protected. */
void connection_release(struct connection *connection, const struct call_slot *call);
void connection_release_all(struct connection *connection);

/* Replace MESSAGE, the reply to the protected call in SLOT, by the plain reply in the same buffer.
 * Returns 0, or a negative errno. It is -EKEYEXPIRED if MESSAGE must be ignored and the call stays
 * in flight. If the call's context has expired, the call will be sent again. */
int connection_open_protected(struct connection *connection, struct call_slot *slot,
                              struct receive_buffer_message *message);

/* Begin TLS on a new connection, if its options request TLS. Returns as tls_session_begin(). */
int connection_begin_tls(struct connection *connection, struct error *error);
