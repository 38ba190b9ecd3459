#include "rpc/gss.h"

#include <errno.h>
#include <gssapi/gssapi_krb5.h>
#include <stdio.h>

/* xid, message type, RPC version, program, version and procedure: what a credential follows. */
enum { CALL_HEADER_START = 24 };

static gss_buffer_desc buffer_of(const void *bytes, size_t length)
{
    /* Only gss_unwrap() writes to its input. */
    return (gss_buffer_desc){.length = length, .value = (void *)(uintptr_t)bytes};
}

/* Keep MAJOR and MINOR, which a function of GSS-API returned. */
static int judge(struct rpc_gss *gss, OM_uint32 major, OM_uint32 minor)
{
    if (!GSS_ERROR(major) && !(major & GSS_S_DUPLICATE_TOKEN))
        return 0;
    gss->major = major;
    gss->minor = minor;
    return -EKEYREJECTED;
}

/* Write the MIC of LENGTH BYTES as an opaque. */
static int put_mic(struct rpc_gss *gss, const void *bytes, size_t length,
                   struct wire_writer *writer)
{
    gss_buffer_desc data = buffer_of(bytes, length), mic = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor, major = gss_get_mic(&minor, gss->context, GSS_C_QOP_DEFAULT, &data, &mic);
    int code = judge(gss, major, minor);

    if (code)
        return code;
    wire_put_opaque(writer, mic.value, mic.length);
    gss_release_buffer(&minor, &mic);
    return 0;
}

static int verify_mic(struct rpc_gss *gss, const void *bytes, size_t length, const uint8_t *mic,
                      size_t mic_length)
{
    gss_buffer_desc data = buffer_of(bytes, length), token = buffer_of(mic, mic_length);
    OM_uint32 minor, major = gss_verify_mic(&minor, gss->context, &data, &token, NULL);

    return judge(gss, major, minor);
}

int rpc_gss_verify_number(struct rpc_gss *gss, uint32_t number,
                          const struct rpc_reply_header *header)
{
    uint8_t bytes[4];

    wire_store_u32(bytes, number);
    return verify_mic(gss, bytes, sizeof bytes, header->verifier, header->verifier_length);
}

/* Calls */

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

/* The verifier of a call is a MIC of its header, which begins at START. */
static int put_verifier(struct rpc_gss *gss, const uint8_t *start, struct wire_writer *writer)
{
    const uint8_t *end = writer->at;

    wire_put_u32(writer, RPC_FLAVOR_GSS);
    return put_mic(gss, start, (size_t)(end - start), writer);
}

/* The sequence number and the arguments, as an opaque: rpc_gss_integ_data's databody, and what
 * rpc_gss_priv_data's is encrypted from. Returns where its bytes begin. */
static uint8_t *put_body(const struct rpc_gss *gss, const struct wire_reader *arguments,
                         struct wire_writer *writer)
{
    uint8_t *start;

    wire_put_u32(writer, 4 + (uint32_t)wire_left(arguments));
    start = writer->at;
    wire_put_u32(writer, gss->sequence);
    wire_put_fixed(writer, arguments->at, wire_left(arguments));
    return start;
}

static int put_integrity(struct rpc_gss *gss, const struct wire_reader *arguments,
                         struct wire_writer *writer)
{
    uint8_t *body = put_body(gss, arguments, writer);

    return writer->failed ? 0 : put_mic(gss, body, 4 + wire_left(arguments), writer);
}

static int put_privacy(struct rpc_gss *gss, const struct wire_reader *arguments,
                       struct wire_writer *writer)
{
    struct wire_writer plain = *writer;
    uint8_t *body = put_body(gss, arguments, &plain);
    gss_buffer_desc data = buffer_of(body, 4 + wire_left(arguments)), token = GSS_C_EMPTY_BUFFER;
    OM_uint32 major, minor;
    int code;

    if (plain.failed) {
        writer->failed = true;
        return 0;
    }
    major = gss_wrap(&minor, gss->context, true, GSS_C_QOP_DEFAULT, &data, NULL, &token);
    code = judge(gss, major, minor);
    if (code)
        return code;
    wire_put_opaque(writer, token.value, token.length);
    gss_release_buffer(&minor, &token);
    return 0;
}

static int put_arguments(struct rpc_gss *gss, enum rpc_gss_service service,
                         const struct wire_reader *arguments, struct wire_writer *writer)
{
    switch (service) {
    case RPC_GSS_INTEGRITY:
        return put_integrity(gss, arguments, writer);
    case RPC_GSS_PRIVACY:
        return put_privacy(gss, arguments, writer);
    default:
        wire_put_fixed(writer, arguments->at, wire_left(arguments));
        return 0;
    }
}

int rpc_gss_seal(struct rpc_gss *gss, enum rpc_gss_procedure procedure, const uint8_t *message,
                 size_t length, struct wire_writer *writer)
{
    struct wire_reader reader = wire_reader(message, length);
    struct rpc_call_header header;
    uint8_t *start = writer->at;
    int code;

    if (rpc_call_decode(&reader, &header) != 0)
        return -EBADMSG;
    wire_put_fixed(writer, message, CALL_HEADER_START);
    if (procedure == RPC_GSS_DATA || procedure == RPC_GSS_DESTROY)
        gss->sequence++;
    put_credential(gss, procedure, writer);
    if (writer->failed)
        return -EMSGSIZE;
    if (procedure == RPC_GSS_INIT || procedure == RPC_GSS_CONTINUE_INIT) {
        wire_put_u32(writer, RPC_FLAVOR_NONE);
        wire_put_u32(writer, 0);
        code = put_arguments(gss, RPC_GSS_NONE, &reader, writer);
    } else {
        code = put_verifier(gss, start, writer);
        if (code == 0)
            code = put_arguments(gss, procedure == RPC_GSS_DATA ? gss->service : RPC_GSS_NONE,
                                 &reader, writer);
    }
    return code == 0 && writer->failed ? -EMSGSIZE : code;
}

/* Replies */

/* The sequence number of the call that HEADER's verifier answers, from FIRST on: a call that was
 * sent again has several. */
static int verify_reply(struct rpc_gss *gss, uint32_t first, const struct rpc_reply_header *header,
                        uint32_t *sequence)
{
    int code = -EKEYREJECTED;

    if (header->verifier_flavor != RPC_FLAVOR_GSS)
        return -EBADMSG;
    for (*sequence = first; code && *sequence - first <= gss->sequence - first; ++*sequence)
        code = rpc_gss_verify_number(gss, *sequence, header);
    --*sequence;
    return code;
}

/* BODY is a sequence number and results; the number must be SEQUENCE. */
static int take_results(const void *body, size_t length, uint32_t sequence,
                        struct wire_writer *writer)
{
    struct wire_reader reader = wire_reader(body, length);
    uint32_t found = wire_get_u32(&reader);

    if (reader.failed || found != sequence)
        return -EBADMSG;
    wire_put_fixed(writer, reader.at, wire_left(&reader));
    return 0;
}

static int open_integrity(struct rpc_gss *gss, uint32_t sequence, struct wire_reader *reader,
                          struct wire_writer *writer)
{
    uint32_t length, mic_length;
    const uint8_t *body = wire_get_opaque(reader, UINT32_MAX, &length);
    const uint8_t *mic = wire_get_opaque(reader, RPC_AUTH_BODY_MAXIMUM, &mic_length);
    int code = reader->failed || wire_left(reader) > 0
                   ? -EBADMSG
                   : verify_mic(gss, body, length, mic, mic_length);

    return code ? code : take_results(body, length, sequence, writer);
}

static int open_privacy(struct rpc_gss *gss, uint32_t sequence, struct wire_reader *reader,
                        struct wire_writer *writer)
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
    /* Kerberos rearranges what it decrypts: that must not be the caller's message. */
    memcpy(writer->at, bytes, length);
    token = buffer_of(writer->at, length);
    major = gss_unwrap(&minor, gss->context, &token, &body, &encrypted, NULL);
    code = judge(gss, major, minor);
    if (code)
        return code;
    code = encrypted ? take_results(body.value, body.length, sequence, writer) : -EBADMSG;
    gss_release_buffer(&minor, &body);
    return code;
}

static int open_results(struct rpc_gss *gss, uint32_t sequence, struct wire_reader *reader,
                        struct wire_writer *writer)
{
    switch (gss->service) {
    case RPC_GSS_INTEGRITY:
        return open_integrity(gss, sequence, reader, writer);
    case RPC_GSS_PRIVACY:
        return open_privacy(gss, sequence, reader, writer);
    default:
        wire_put_fixed(writer, reader->at, wire_left(reader));
        return 0;
    }
}

/* RPCSEC_GSS_CREDPROBLEM and RPCSEC_GSS_CTXPROBLEM (RFC 2203 section 5.3.3.3) mean that a new
 * context is needed. */
static bool has_expired(const struct rpc_reply_header *header)
{
    enum { CREDPROBLEM = 13, CTXPROBLEM = 14 };

    return header->outcome == RPC_OUTCOME_AUTH_ERROR &&
           (header->auth_status == CREDPROBLEM || header->auth_status == CTXPROBLEM);
}

int rpc_gss_open(struct rpc_gss *gss, uint32_t first, const uint8_t *message, size_t length,
                 struct wire_writer *writer)
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
    code = verify_reply(gss, first, &header, &sequence);
    if (code)
        return code;
    rpc_reply_encode(writer, &header);
    if (header.outcome == RPC_OUTCOME_SUCCESS)
        code = open_results(gss, sequence, &reader, writer);
    return code == 0 && writer->failed ? -EMSGSIZE : code;
}

/* Words */

/* Append to TEXT what GSS-API says of STATUS, whose kind is TYPE. */
static void append_status(OM_uint32 status, int type, char *text, size_t size)
{
    gss_buffer_desc words = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor, more = 0;
    size_t length = strlen(text);

    if (GSS_ERROR(gss_display_status(&minor, status, type, (gss_OID)gss_mech_krb5, &more, &words)))
        return;
    snprintf(text + length, size - length, "%s%.*s", length ? ": " : "", (int)words.length,
             (const char *)words.value);
    gss_release_buffer(&minor, &words);
}

const char *rpc_gss_describe(OM_uint32 major, OM_uint32 minor, char *buffer, size_t size)
{
    buffer[0] = '\0';
    append_status(major, GSS_C_GSS_CODE, buffer, size);
    if (minor)
        append_status(minor, GSS_C_MECH_CODE, buffer, size);
    return buffer;
}
