/* RPCSEC_GSS version 1 (RFC 2203): messages protected by a security context of GSS-API (RFC 2744).
 * The functions convert messages in memory, and send nothing. */
#pragma once

#include <gssapi/gssapi.h>

#include "rpc/message.h"

enum {
    RPC_GSS_VERSION = 1,
    /* Upper bound of the bytes that protection adds to a message: credential, verifier, and the
     * overhead of Kerberos (RFC 4121: at most 76 bytes, depending on the encryption type). */
    RPC_GSS_OVERHEAD = 2 * RPC_AUTH_BODY_MAXIMUM + 256,
};

/* Largest sequence number (RFC 2203 section 5.3.3.1). */
#define RPC_GSS_MAXSEQ UINT32_C(0x80000000)

enum rpc_gss_procedure {
    RPC_GSS_DATA = 0,
    RPC_GSS_INIT = 1,
    RPC_GSS_CONTINUE_INIT = 2,
    RPC_GSS_DESTROY = 3,
};

enum rpc_gss_service {
    /* krb5: signs the headers of calls; in replies, signs only the call's sequence number */
    RPC_GSS_NONE = 1,
    RPC_GSS_INTEGRITY = 2, /* krb5i: protects arguments and results, too */
    RPC_GSS_PRIVACY = 3,   /* krb5p: protects and encrypts arguments and results */
};

/* Functions for client and server: sign and verify, protect and open arguments or results. */

/* Return the service of FLAVOR, which is krb5, krb5i or krb5p. */
enum rpc_gss_service rpc_gss_service_of(uint32_t flavor);

struct rpc_gss_context {
    gss_ctx_id_t handle;
    OM_uint32 major, minor; /* status of the last failed function of GSS-API */
};

void rpc_gss_delete(struct rpc_gss_context *context);

/* Write an opaque to WRITER: the MIC of NUMBER as XDR encodes it. Returns 0 or -EKEYREJECTED. If
 * there is no room, returns 0, and WRITER->failed is set. */
int rpc_gss_put_number(struct rpc_gss_context *context, uint32_t number,
                       struct wire_writer *writer);

/* Check that MIC is a valid MIC of the LENGTH bytes at BYTES. Returns 0 or -EKEYREJECTED. */
int rpc_gss_verify_mic(struct rpc_gss_context *context, const void *bytes, size_t length,
                       const uint8_t *mic, size_t mic_length);

/* Check that MIC is a valid MIC of NUMBER. Returns 0 or -EKEYREJECTED. */
int rpc_gss_verify_number(struct rpc_gss_context *context, uint32_t number, const uint8_t *mic,
                          size_t mic_length);

/* Write the LENGTH bytes at BYTES, the arguments or results of the call with number SEQUENCE,
 * protected by SERVICE. Returns 0 or -EKEYREJECTED. If there is no room, WRITER has failed. */
int rpc_gss_put_data(struct rpc_gss_context *context, enum rpc_gss_service service,
                     uint32_t sequence, const void *bytes, size_t length,
                     struct wire_writer *writer);

/* Open the protected arguments or results in the rest of READER, and write them to WRITER. Returns
 * 0; -EBADMSG if they are malformed or have a sequence number other than SEQUENCE; -EMSGSIZE if
 * WRITER is too short; or -EKEYREJECTED if they are not authentic. For privacy, WRITER must have
 * room for the encrypted data. */
int rpc_gss_get_data(struct rpc_gss_context *context, enum rpc_gss_service service,
                     uint32_t sequence, struct wire_reader *reader, struct wire_writer *writer);

/* Describe a failure in BUFFER: the name of MAJOR, then GSS-API's message for MINOR, such as
 * "GSS_S_FAILURE: Ticket expired". If MINOR is 0, the message is that for MAJOR. Returns BUFFER. */
const char *rpc_gss_describe(OM_uint32 major, OM_uint32 minor, char *buffer, size_t size);

/* Functions of a client. rpc_gss_seal() replaces a call's credential and verifier by those of
 * RPCSEC_GSS, and protects the arguments. rpc_gss_open() verifies a reply, and makes it plain. */

enum { RPC_GSS_HANDLE_MAXIMUM = 256 }; /* maximum size of a context's handle, bytes */

/* A client's side of a security context. */
struct rpc_gss {
    struct rpc_gss_context context;
    enum rpc_gss_service service;
    uint8_t handle[RPC_GSS_HANDLE_MAXIMUM];
    uint32_t handle_length;
    uint32_t sequence; /* sequence number of the latest transmission, from 1 on; 0: none yet */
};

/* Write the call in the LENGTH bytes at MESSAGE (from its xid on) to WRITER, protected, with the
 * next sequence number unless PROCEDURE establishes a context. Returns 0; -EBADMSG if MESSAGE is no
 * call; -EMSGSIZE if WRITER is too short; or -EKEYREJECTED with GSS's status set. */
int rpc_gss_seal(struct rpc_gss *gss, enum rpc_gss_procedure procedure, const uint8_t *message,
                 size_t length, struct wire_writer *writer);

/* Write the plain form of the reply in the LENGTH bytes at MESSAGE to WRITER, after verifying that
 * it answers a call with a sequence number from FIRST to LAST. A denied reply can't be verified. If
 * it says that the server no longer knows the context, the result is -EKEYEXPIRED; otherwise, the
 * denied reply is copied. Other results are 0; -EBADMSG if the reply is malformed; -EMSGSIZE if
 * WRITER is too short; and -EKEYREJECTED with GSS's status set if a MIC is wrong or the data can't
 * be decrypted. */
int rpc_gss_open(struct rpc_gss *gss, uint32_t first, uint32_t last, const uint8_t *message,
                 size_t length, struct wire_writer *writer);

/* Single steps of rpc_gss_seal() and rpc_gss_open(), for measuring them: sign a call's header,
 * protect its arguments, verify the verifier of the reply to call SEQUENCE, open the reply's
 * results. They return the errors of these two functions. In GSS, they change only the status. */
int rpc_gss_sign_call(struct rpc_gss *gss, const uint8_t *message, size_t length,
                      struct wire_writer *writer);
int rpc_gss_wrap_call(struct rpc_gss *gss, const uint8_t *message, size_t length,
                      struct wire_writer *writer);
int rpc_gss_verify_reply(struct rpc_gss *gss, uint32_t sequence, const uint8_t *message,
                         size_t length);
int rpc_gss_unwrap_reply(struct rpc_gss *gss, uint32_t sequence, const uint8_t *message,
                         size_t length, struct wire_writer *writer);
