/* What both sides of RPCSEC_GSS version 1 (RFC 2203) do with a security context of GSS-API (RFC
 * 2744): sign and verify, and protect and open the arguments or results of a message. */
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

/* The service that a flavour of MOUNT stands for: that of krb5, krb5i or krb5p. */
enum rpc_gss_service rpc_gss_service_of(uint32_t flavor);

/* One side of a context. */
struct rpc_gss_context {
    gss_ctx_id_t handle;
    OM_uint32 major, minor; /* of the last function of GSS-API that failed */
};

void rpc_gss_delete(struct rpc_gss_context *context);

/* Write the MIC of LENGTH BYTES as an opaque. 0, or -EKEYREJECTED; whether it fits is for WRITER to
 * say. */
int rpc_gss_put_mic(struct rpc_gss_context *context, const void *bytes, size_t length,
                    struct wire_writer *writer);

/* The same for NUMBER, as XDR encodes it. */
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
