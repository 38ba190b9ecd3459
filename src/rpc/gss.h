/* RPCSEC_GSS version 1 (RFC 2203): a client's messages, protected by a security context of GSS-API.
 * A call that was encoded with any credential becomes one with RPCSEC_GSS's credential and
 * verifier, and with protected arguments; a reply becomes a plain one again, after everything in it
 * was verified. It makes no calls: engine/gss_client.h does. */
#pragma once

#include "rpc/gss_context.h"

enum { RPC_GSS_HANDLE_MAXIMUM = 256 }; /* bytes of a server's name for a context */

/* A client's side of a context. */
struct rpc_gss {
    struct rpc_gss_context context;
    enum rpc_gss_service service;
    uint8_t handle[RPC_GSS_HANDLE_MAXIMUM];
    uint32_t handle_length;
    uint32_t sequence; /* of the last call; the first has 1 */
};

/* Write to WRITER the call in the LENGTH bytes at MESSAGE (from its xid on), protected, with the
 * next sequence number. Returns 0, -EBADMSG if MESSAGE is no call, -EMSGSIZE if WRITER is too
 * short, or -EKEYREJECTED with GSS's status set. */
int rpc_gss_seal(struct rpc_gss *gss, enum rpc_gss_procedure procedure, const uint8_t *message,
                 size_t length, struct wire_writer *writer);

/* Write to WRITER the plain form of the reply in the LENGTH bytes at MESSAGE, after verifying that
 * it belongs to a call with a sequence number from FIRST to LAST. A reply that reports an error
 * of RPC is copied as it is. Returns 0; -EBADMSG if the reply is malformed; -EMSGSIZE if WRITER is
 * too short; -EKEYREJECTED with GSS's status set if a MIC is wrong or the data can't be decrypted;
 * -EKEYEXPIRED if the server no longer knows the context. */
int rpc_gss_open(struct rpc_gss *gss, uint32_t first, uint32_t last, const uint8_t *message,
                 size_t length, struct wire_writer *writer);

/* The parts of both, one by one, for those who time them: a call's header with its MIC, its
 * arguments, the verifier of the reply to call number SEQUENCE, its results. They return as above,
 * and change nothing of GSS but its status. */
int rpc_gss_sign_call(struct rpc_gss *gss, const uint8_t *message, size_t length,
                      struct wire_writer *writer);
int rpc_gss_wrap_call(struct rpc_gss *gss, const uint8_t *message, size_t length,
                      struct wire_writer *writer);
int rpc_gss_verify_reply(struct rpc_gss *gss, uint32_t sequence, const uint8_t *message,
                         size_t length);
int rpc_gss_unwrap_reply(struct rpc_gss *gss, uint32_t sequence, const uint8_t *message,
                         size_t length, struct wire_writer *writer);
