/* The calls of a connection that a security context protects (connection_protect()), and TLS below
 * them. */
#pragma once

#include "engine/wire/connection.h"

/* Release what connection_protect() and the calls took; nothing without them. */
void connection_unprotect(struct connection *connection);

/* Put CALL into the buffer of what is sent, protected by the context that there is now, or by a new
 * one where the server no longer knows it. A call that can't be protected is not sent:
 * connection_send() returns why. */
void connection_transmit_protected(struct connection *connection, const struct call_slot *call);

/* CALL is going to be sent again, or no reply to any call in flight is expected any more: their
 * numbers become free. Nothing without connection_protect(). */
void connection_release(struct connection *connection, const struct call_slot *call);
void connection_release_all(struct connection *connection);

/* The reply MESSAGE to the protected call in SLOT becomes a plain one, in its place in the buffer.
 * Returns 0; -EKEYEXPIRED: the call is sent again by the context that there is now; or another
 * negative errno. */
int connection_open_protected(struct connection *connection, struct call_slot *slot,
                              struct receive_buffer_message *message);

/* Begin TLS over a connection that was just made, if its options ask for that. Returns as
 * tls_session_begin(). */
int connection_begin_tls(struct connection *connection, struct error *error);
