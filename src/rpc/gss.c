#include "rpc/gss.h"

#include <errno.h>

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
    return rpc_gss_put_mic(&gss->context, start, (size_t)(end - start), writer);
}

/* The call's header, signed. */
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

/* Replies */

/* The sequence number of the call that HEADER's verifier answers, from FIRST to LAST: a call that
 * was sent again has several. */
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

/* RPCSEC_GSS_CREDPROBLEM and RPCSEC_GSS_CTXPROBLEM (RFC 2203 section 5.3.3.3) mean that a new
 * context is needed. */
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

/* Single parts */

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
