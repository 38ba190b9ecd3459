/* RPCSEC_GSS version 1 (RFC 2203): a client's messages, protected by a security context of GSS-API
 * (RFC 2744). A call that was encoded with any credential becomes one with RPCSEC_GSS's credential
 * and verifier, and with protected arguments; a reply becomes a plain one again, after everything
 * in it was verified. It makes no calls: engine/gss_client.h does. */
#ifndef NFSBENCH_RPC_GSS_H
#define NFSBENCH_RPC_GSS_H

#include <gssapi/gssapi.h>

#include "rpc/message.h"

enum {
    RPC_GSS_VERSION = 1,
    RPC_GSS_HANDLE_MAXIMUM = 256, /* bytes of a server's name for a context */
    /* Bytes by which protection lengthens a message at most: credential and verifier, and what
     * Kerberos adds to the data (RFC 4121: 76 bytes for the longest of its encryption types). */
    RPC_GSS_OVERHEAD = 2 * RPC_AUTH_BODY_MAXIMUM + 256,
};

enum rpc_gss_procedure {
    RPC_GSS_DATA = 0,
    RPC_GSS_INIT = 1,
    RPC_GSS_CONTINUE_INIT = 2,
    RPC_GSS_DESTROY = 3,
};

enum rpc_gss_service {
    RPC_GSS_NONE = 1,      /* krb5: header and reply's verifier only */
    RPC_GSS_INTEGRITY = 2, /* krb5i: arguments and results, too */
    RPC_GSS_PRIVACY = 3,   /* krb5p: and these are encrypted */
};

/* A client's side of a context. */
struct rpc_gss {
    gss_ctx_id_t context;
    enum rpc_gss_service service;
    uint8_t handle[RPC_GSS_HANDLE_MAXIMUM];
    uint32_t handle_length;
    uint32_t sequence;      /* of the last call; the first has 1 */
    OM_uint32 major, minor; /* of the last function of GSS-API that failed */
};

/* Write to WRITER the call in the LENGTH bytes at MESSAGE (from its xid on), protected, with the
 * next sequence number. Returns 0, -EBADMSG if MESSAGE is no call, -EMSGSIZE if WRITER is too
 * short, or -EKEYREJECTED with GSS's status set. */
int rpc_gss_seal(struct rpc_gss *gss, enum rpc_gss_procedure procedure, const uint8_t *message,
                 size_t length, struct wire_writer *writer);

/* Write to WRITER the plain form of the reply in the LENGTH bytes at MESSAGE, after verifying that
 * it belongs to a call with a sequence number from FIRST to the last. A reply that reports an error
 * of RPC is copied as it is. Returns 0; -EBADMSG if the reply is malformed; -EMSGSIZE if WRITER is
 * too short; -EKEYREJECTED with GSS's status set if a MIC is wrong or the data can't be decrypted;
 * -EKEYEXPIRED if the server no longer knows the context. */
int rpc_gss_open(struct rpc_gss *gss, uint32_t first, const uint8_t *message, size_t length,
                 struct wire_writer *writer);

/* Verify the verifier of a reply: a MIC of NUMBER. Returns 0, or -EKEYREJECTED. */
int rpc_gss_verify_number(struct rpc_gss *gss, uint32_t number,
                          const struct rpc_reply_header *header);

/* GSS-API's own words for MAJOR and MINOR. Returns BUFFER. */
const char *rpc_gss_describe(OM_uint32 major, OM_uint32 minor, char *buffer, size_t size);

#endif
