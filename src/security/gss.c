#include "security/gss.h"

#include <errno.h>
#include <gssapi/gssapi_krb5.h>
#include <stdio.h>

enum rpc_gss_service rpc_gss_service_of(uint32_t flavor)
{
    return flavor == RPC_FLAVOR_KRB5P   ? RPC_GSS_PRIVACY
           : flavor == RPC_FLAVOR_KRB5I ? RPC_GSS_INTEGRITY
                                        : RPC_GSS_NONE;
}

void rpc_gss_delete(struct rpc_gss_context *context)
{
    OM_uint32 minor;

    if (context->handle != GSS_C_NO_CONTEXT)
        gss_delete_sec_context(&minor, &context->handle, GSS_C_NO_BUFFER);
}

static gss_buffer_desc buffer_of(const void *bytes, size_t length)
{
    /* The cast is safe: only gss_unwrap() writes to its input, and it gets a copy. */
    return (gss_buffer_desc){.length = length, .value = (void *)(uintptr_t)bytes};
}

/* Return 0 for success. Else store MAJOR and MINOR in CONTEXT, and return -EKEYREJECTED. */
static int check_status(struct rpc_gss_context *context, OM_uint32 major, OM_uint32 minor)
{
    if (!GSS_ERROR(major) && !(major & GSS_S_DUPLICATE_TOKEN))
        return 0;
    context->major = major;
    context->minor = minor;
    return -EKEYREJECTED;
}

/* MICs */

static int put_mic(struct rpc_gss_context *context, const void *bytes, size_t length,
                   struct wire_writer *writer)
{
    gss_buffer_desc data = buffer_of(bytes, length), mic = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor, major = gss_get_mic(&minor, context->handle, GSS_C_QOP_DEFAULT, &data, &mic);
    int code = check_status(context, major, minor);

    if (code)
        return code;
    wire_put_opaque(writer, mic.value, mic.length);
    gss_release_buffer(&minor, &mic);
    return 0;
}

int rpc_gss_put_number(struct rpc_gss_context *context, uint32_t number, struct wire_writer *writer)
{
    uint8_t bytes[4];

    wire_store_u32(bytes, number);
    return put_mic(context, bytes, sizeof bytes, writer);
}

int rpc_gss_verify_mic(struct rpc_gss_context *context, const void *bytes, size_t length,
                       const uint8_t *mic, size_t mic_length)
{
    gss_buffer_desc data = buffer_of(bytes, length), token = buffer_of(mic, mic_length);
    OM_uint32 minor, major = gss_verify_mic(&minor, context->handle, &data, &token, NULL);

    return check_status(context, major, minor);
}

int rpc_gss_verify_number(struct rpc_gss_context *context, uint32_t number, const uint8_t *mic,
                          size_t mic_length)
{
    uint8_t bytes[4];

    wire_store_u32(bytes, number);
    return rpc_gss_verify_mic(context, bytes, sizeof bytes, mic, mic_length);
}

/* Arguments and results */

/* Write an opaque that contains SEQUENCE and the LENGTH bytes at BYTES: the databody of
 * rpc_gss_integ_data, or the plain text of rpc_gss_priv_data. Returns where SEQUENCE begins. */
static uint8_t *put_body(uint32_t sequence, const void *bytes, size_t length,
                         struct wire_writer *writer)
{
    uint8_t *start;

    wire_put_u32(writer, 4 + (uint32_t)length);
    start = writer->at;
    wire_put_u32(writer, sequence);
    wire_put_fixed(writer, bytes, length);
    return start;
}

static int put_integrity(struct rpc_gss_context *context, uint32_t sequence, const void *bytes,
                         size_t length, struct wire_writer *writer)
{
    uint8_t *body = put_body(sequence, bytes, length, writer);

    return writer->failed ? 0 : put_mic(context, body, 4 + length, writer);
}

static int put_privacy(struct rpc_gss_context *context, uint32_t sequence, const void *bytes,
                       size_t length, struct wire_writer *writer)
{
    struct wire_writer plain = *writer;
    uint8_t *body = put_body(sequence, bytes, length, &plain);
    gss_buffer_desc data = buffer_of(body, 4 + length), token = GSS_C_EMPTY_BUFFER;
    OM_uint32 major, minor;
    int code;

    if (plain.failed) {
        writer->failed = true;
        return 0;
    }
    major = gss_wrap(&minor, context->handle, true, GSS_C_QOP_DEFAULT, &data, NULL, &token);
    code = check_status(context, major, minor);
    if (code)
        return code;
    wire_put_opaque(writer, token.value, token.length);
    gss_release_buffer(&minor, &token);
    return 0;
}

int rpc_gss_put_data(struct rpc_gss_context *context, enum rpc_gss_service service,
                     uint32_t sequence, const void *bytes, size_t length,
                     struct wire_writer *writer)
{
    switch (service) {
    case RPC_GSS_INTEGRITY:
        return put_integrity(context, sequence, bytes, length, writer);
    case RPC_GSS_PRIVACY:
        return put_privacy(context, sequence, bytes, length, writer);
    default:
        wire_put_fixed(writer, bytes, length);
        return 0;
    }
}

/* Write the data in BODY to WRITER. Returns 0, or -EBADMSG if BODY does not begin with SEQUENCE. */
static int take_data(const void *body, size_t length, uint32_t sequence, struct wire_writer *writer)
{
    struct wire_reader reader = wire_reader(body, length);
    uint32_t found = wire_get_u32(&reader);

    if (reader.failed || found != sequence)
        return -EBADMSG;
    wire_put_fixed(writer, reader.at, wire_left(&reader));
    return 0;
}

static int get_integrity(struct rpc_gss_context *context, uint32_t sequence,
                         struct wire_reader *reader, struct wire_writer *writer)
{
    uint32_t length, mic_length;
    const uint8_t *body = wire_get_opaque(reader, UINT32_MAX, &length);
    const uint8_t *mic = wire_get_opaque(reader, RPC_AUTH_BODY_MAXIMUM, &mic_length);
    int code = reader->failed || wire_left(reader) > 0
                   ? -EBADMSG
                   : rpc_gss_verify_mic(context, body, length, mic, mic_length);

    return code ? code : take_data(body, length, sequence, writer);
}

static int get_privacy(struct rpc_gss_context *context, uint32_t sequence,
                       struct wire_reader *reader, struct wire_writer *writer)
{
    gss_buffer_desc token, body = GSS_C_EMPTY_BUFFER;
    uint32_t length;
    const uint8_t *bytes = wire_get_opaque(reader, UINT32_MAX, &length);
    int encrypted = 0, code;
    OM_uint32 major, minor;

    if (reader->failed || wire_left(reader) > 0)
        return -EBADMSG;
    if ((size_t)(writer->end - writer->at) < length)
        return -EMSGSIZE;
    /* gss_unwrap() decrypts in place, so it must get a copy of the message. */
    memcpy(writer->at, bytes, length);
    token = buffer_of(writer->at, length);
    major = gss_unwrap(&minor, context->handle, &token, &body, &encrypted, NULL);
    code = check_status(context, major, minor);
    if (code)
        return code;
    code = encrypted ? take_data(body.value, body.length, sequence, writer) : -EBADMSG;
    gss_release_buffer(&minor, &body);
    return code;
}

int rpc_gss_get_data(struct rpc_gss_context *context, enum rpc_gss_service service,
                     uint32_t sequence, struct wire_reader *reader, struct wire_writer *writer)
{
    int code = 0;

    if (service == RPC_GSS_INTEGRITY)
        code = get_integrity(context, sequence, reader, writer);
    else if (service == RPC_GSS_PRIVACY)
        code = get_privacy(context, sequence, reader, writer);
    else
        wire_put_fixed(writer, reader->at, wire_left(reader));
    return code == 0 && writer->failed ? -EMSGSIZE : code;
}

/* Return the name of a routine error (RFC 2744 section 3.9.1) by its number in MAJOR. */
static const char *major_name(OM_uint32 major)
{
    static const char *const names[] = {
        "GSS_S_COMPLETE",
        "GSS_S_BAD_MECH",
        "GSS_S_BAD_NAME",
        "GSS_S_BAD_NAMETYPE",
        "GSS_S_BAD_BINDINGS",
        "GSS_S_BAD_STATUS",
        "GSS_S_BAD_SIG",
        "GSS_S_NO_CRED",
        "GSS_S_NO_CONTEXT",
        "GSS_S_DEFECTIVE_TOKEN",
        "GSS_S_DEFECTIVE_CREDENTIAL",
        "GSS_S_CREDENTIALS_EXPIRED",
        "GSS_S_CONTEXT_EXPIRED",
        "GSS_S_FAILURE",
        "GSS_S_BAD_QOP",
        "GSS_S_UNAUTHORIZED",
        "GSS_S_UNAVAILABLE",
        "GSS_S_DUPLICATE_ELEMENT",
        "GSS_S_NAME_NOT_MN",
    };
    size_t place = GSS_ROUTINE_ERROR(major) >> GSS_C_ROUTINE_ERROR_OFFSET;

    if (place == 0 && (major & GSS_S_DUPLICATE_TOKEN))
        return "GSS_S_DUPLICATE_TOKEN";
    return place < sizeof names / sizeof names[0] ? names[place] : "an unknown status of GSS-API";
}

const char *rpc_gss_describe(OM_uint32 major, OM_uint32 minor, char *buffer, size_t size)
{
    gss_buffer_desc words = GSS_C_EMPTY_BUFFER;
    OM_uint32 unused, more = 0, status = minor ? minor : major;
    int type = minor ? GSS_C_MECH_CODE : GSS_C_GSS_CODE;

    if (GSS_ERROR(gss_display_status(&unused, status, type, (gss_OID)gss_mech_krb5, &more, &words)))
        words.length = 0;
    snprintf(buffer, size, "%s%s%.*s", major_name(major), words.length ? ": " : "",
             (int)words.length, words.length ? (const char *)words.value : "");
    gss_release_buffer(&unused, &words);
    return buffer;
}

/* A client's calls */

static void put_credential(const struct rpc_gss *gss, enum rpc_gss_procedure procedure,
                           struct wire_writer *writer)
{
    enum { FIXED = 5 * 4 };

    wire_put_u32(writer, RPC_FLAVOR_GSS);
    wire_put_u32(writer, FIXED + (uint32_t)wire_padded(gss->handle_length));
    wire_put_u32(writer, RPC_GSS_VERSION);
    wire_put_u32(writer, procedure);
    wire_put_u32(writer, gss->sequence);
    wire_put_u32(writer, gss->service);
    wire_put_opaque(writer, gss->handle, gss->handle_length);
}

/* Write the verifier of a call: a MIC of the header, which WRITER has written from START on. */
static int put_verifier(struct rpc_gss *gss, const uint8_t *start, struct wire_writer *writer)
{
    const uint8_t *end = writer->at;

    wire_put_u32(writer, RPC_FLAVOR_GSS);
    return put_mic(&gss->context, start, (size_t)(end - start), writer);
}

/* Write MESSAGE's call header with RPCSEC_GSS's credential. The verifier is a MIC if PROCEDURE is
 * RPC_GSS_DATA or RPC_GSS_DESTROY; otherwise it is empty. */
static int put_header(struct rpc_gss *gss, enum rpc_gss_procedure procedure, const uint8_t *message,
                      struct wire_writer *writer)
{
    uint8_t *start = writer->at;

    wire_put_fixed(writer, message, RPC_CALL_CREDENTIAL_AT);
    put_credential(gss, procedure, writer);
    if (writer->failed)
        return -EMSGSIZE;
    if (procedure == RPC_GSS_DATA || procedure == RPC_GSS_DESTROY)
        return put_verifier(gss, start, writer);
    wire_put_u32(writer, RPC_FLAVOR_NONE);
    wire_put_u32(writer, 0);
    return 0;
}

int rpc_gss_seal(struct rpc_gss *gss, enum rpc_gss_procedure procedure, const uint8_t *message,
                 size_t length, struct wire_writer *writer)
{
    bool establishes = procedure == RPC_GSS_INIT || procedure == RPC_GSS_CONTINUE_INIT;
    enum rpc_gss_service service = procedure == RPC_GSS_DATA ? gss->service : RPC_GSS_NONE;
    struct wire_reader reader = wire_reader(message, length);
    struct rpc_call_header header;
    int code;

    if (rpc_call_decode(&reader, &header) != 0)
        return -EBADMSG;
    gss->sequence += !establishes;
    code = put_header(gss, procedure, message, writer);
    if (code == 0)
        code = rpc_gss_put_data(&gss->context, service, gss->sequence, reader.at,
                                wire_left(&reader), writer);
    return code == 0 && writer->failed ? -EMSGSIZE : code;
}

/* A client's replies */

/* Set *SEQUENCE to the number from FIRST to LAST that HEADER's verifier signs. A call that was sent
 * several times has several numbers. Returns 0, -EBADMSG or -EKEYREJECTED. */
static int verify_reply(struct rpc_gss *gss, uint32_t first, uint32_t last,
                        const struct rpc_reply_header *header, uint32_t *sequence)
{
    int code = -EKEYREJECTED;

    if (header->verifier_flavor != RPC_FLAVOR_GSS)
        return -EBADMSG;
    for (*sequence = first; code && *sequence - first <= last - first; ++*sequence)
        code = rpc_gss_verify_number(&gss->context, *sequence, header->verifier,
                                     header->verifier_length);
    --*sequence;
    return code;
}

/* Is HEADER's auth_stat RPCSEC_GSS_CREDPROBLEM or RPCSEC_GSS_CTXPROBLEM? The client then needs a
 * new context (RFC 2203 section 5.3.3.3). */
static bool has_expired(const struct rpc_reply_header *header)
{
    return header->outcome == RPC_OUTCOME_AUTH_ERROR &&
           (header->auth_status == RPC_AUTH_GSS_CREDPROBLEM ||
            header->auth_status == RPC_AUTH_GSS_CTXPROBLEM);
}

int rpc_gss_open(struct rpc_gss *gss, uint32_t first, uint32_t last, const uint8_t *message,
                 size_t length, struct wire_writer *writer)
{
    struct wire_reader reader = wire_reader(message, length);
    struct rpc_reply_header header;
    uint32_t sequence;
    int code = rpc_reply_decode(&reader, &header);

    if (code)
        return code;
    if (has_expired(&header))
        return -EKEYEXPIRED;
    if (header.outcome == RPC_OUTCOME_AUTH_ERROR || header.outcome == RPC_OUTCOME_RPC_MISMATCH) {
        wire_put_fixed(writer, message, length);
        return writer->failed ? -EMSGSIZE : 0;
    }
    code = verify_reply(gss, first, last, &header, &sequence);
    if (code)
        return code;
    rpc_reply_encode(writer, &header);
    if (header.outcome == RPC_OUTCOME_SUCCESS)
        code = rpc_gss_get_data(&gss->context, gss->service, sequence, &reader, writer);
    return code == 0 && writer->failed ? -EMSGSIZE : code;
}

/* Single steps */

int rpc_gss_sign_call(struct rpc_gss *gss, const uint8_t *message, size_t length,
                      struct wire_writer *writer)
{
    return length < RPC_CALL_CREDENTIAL_AT ? -EBADMSG
                                           : put_header(gss, RPC_GSS_DATA, message, writer);
}

int rpc_gss_wrap_call(struct rpc_gss *gss, const uint8_t *message, size_t length,
                      struct wire_writer *writer)
{
    struct wire_reader reader = wire_reader(message, length);
    struct rpc_call_header header;

    if (rpc_call_decode(&reader, &header) != 0)
        return -EBADMSG;
    return rpc_gss_put_data(&gss->context, gss->service, gss->sequence, reader.at,
                            wire_left(&reader), writer);
}

int rpc_gss_verify_reply(struct rpc_gss *gss, uint32_t sequence, const uint8_t *message,
                         size_t length)
{
    struct wire_reader reader = wire_reader(message, length);
    struct rpc_reply_header header;

    if (rpc_reply_decode(&reader, &header) != 0)
        return -EBADMSG;
    return verify_reply(gss, sequence, sequence, &header, &sequence);
}

int rpc_gss_unwrap_reply(struct rpc_gss *gss, uint32_t sequence, const uint8_t *message,
                         size_t length, struct wire_writer *writer)
{
    struct wire_reader reader = wire_reader(message, length);
    struct rpc_reply_header header;

    if (rpc_reply_decode(&reader, &header) != 0 || header.outcome != RPC_OUTCOME_SUCCESS)
        return -EBADMSG;
    return rpc_gss_get_data(&gss->context, gss->service, sequence, &reader, writer);
}
