/* RPC-with-TLS (RFC 9289): the call by which a client asks whether a server has TLS, and its reply.
 * After the reply, both sides begin a TLS handshake on the same connection. */
#pragma once

#include "rpc/message.h"

/* Write the probe: the NULL procedure of PROGRAM, with the credential AUTH_TLS. */
void rpc_tls_probe_encode(struct wire_writer *writer, uint32_t xid, uint32_t program,
                          uint32_t version);

/* Write the server's reply, whose verifier is STARTTLS, to the probe XID. */
void rpc_tls_reply_encode(struct wire_writer *writer, uint32_t xid);

/* Does a reply's HEADER say that the server begins TLS? */
bool rpc_tls_reply_starts(const struct rpc_reply_header *header);
