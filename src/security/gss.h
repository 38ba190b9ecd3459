/* RPCSEC_GSS version 1 (RFC 2203): messages protected by a security context of GSS-API (RFC 2744).
 * It makes no calls: engine/channel/gss_client.h and serve/rpc/gss.h do. */
#pragma once

#include <gssapi/gssapi.h>

#include "rpc/message.h"

enum {
    RPC_GSS_VERSION = 1,
    /* Bytes by which protection lengthens a message at most: credential and verifier, and what
     * Kerberos adds to the data (RFC 4121: 76 bytes for the longest of its encryption types). */
    RPC_GSS_OVERHEAD = 2 * RPC_AUTH_BODY_MAXIMUM + 256,
};

/* The most that a sequence number may be (section 5.3.3.1). */
#define RPC_GSS_MAXSEQ UINT32_C(0x80000000)

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

/* What both sides do with a context: sign and verify, and protect and open the arguments or results
 * of a message. */

/* The service that a flavour of MOUNT stands for: that of krb5, krb5i or krb5p. */
enum rpc_gss_service rpc_gss_service_of(uint32_t flavor);

/* One side of a context. */
struct rpc_gss_context {
    gss_ctx_id_t handle;
    OM_uint32 major, minor; /* of the last function of GSS-API that failed */
};

void rpc_gss_delete(struct rpc_gss_context *context);

/* Write the MIC of NUMBER, as XDR encodes it, as an opaque. 0, or -EKEYREJECTED; whether it fits is
 * for WRITER to say. */
int rpc_gss_put_number(struct rpc_gss_context *context, uint32_t number,
                       struct wire_writer *writer);

/* Is MIC one of LENGTH BYTES? 0, or -EKEYREJECTED. */
int rpc_gss_verify_mic(struct rpc_gss_context *context, const void *bytes, size_t length,
                       const uint8_t *mic, size_t mic_length);

/* The same for a MIC of NUMBER. */
int rpc_gss_verify_number(struct rpc_gss_context *context, uint32_t number, const uint8_t *mic,
                          size_t mic_length);

/* Write LENGTH BYTES, arguments or results of the call number SEQUENCE, as SERVICE protects them.
 * 0, or -EKEYREJECTED; whether they fit is for WRITER to say. */
int rpc_gss_put_data(struct rpc_gss_context *context, enum rpc_gss_service service,
                     uint32_t sequence, const void *bytes, size_t length,
                     struct wire_writer *writer);

/* The other way: write to WRITER what is protected in the rest of READER. 0; -EBADMSG if it is
 * malformed or of another call; -EMSGSIZE; or -EKEYREJECTED. */
int rpc_gss_get_data(struct rpc_gss_context *context, enum rpc_gss_service service,
                     uint32_t sequence, struct wire_reader *reader, struct wire_writer *writer);

/* GSS-API's name of MAJOR and its own words for both: "GSS_S_FAILURE: Ticket expired". Returns
 * BUFFER. */
const char *rpc_gss_describe(OM_uint32 major, OM_uint32 minor, char *buffer, size_t size);

/* A client's messages. A call that was encoded with any credential becomes one with RPCSEC_GSS's
 * credential and verifier, and with protected arguments; a reply becomes a plain one again, after
 * everything in it was verified. */

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
