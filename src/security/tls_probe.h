/* RPC-with-TLS (RFC 9289): the call by which a client asks whether a server has it, and its reply.
 * After the reply, both sides begin a TLS handshake on the same connection. */
#pragma once

#include "rpc/message.h"

/* Write the probe: procedure NULL of a program, with the credential AUTH_TLS. */
void rpc_tls_probe_encode(struct wire_writer *writer, uint32_t xid, uint32_t program,
                          uint32_t version);

/* Write the server's reply to it, whose verifier is STARTTLS. */
void rpc_tls_reply_encode(struct wire_writer *writer, uint32_t xid);

/* Does HEADER, of a reply that was decoded, say that the server goes on with TLS? */
bool rpc_tls_reply_starts(const struct rpc_reply_header *header);
