#include "rpc/message.h"

#include <errno.h>
#include <stdio.h>

/* Values in messages, RFC 5531 section 9. */
enum { MSG_TYPE_CALL = 0, MSG_TYPE_REPLY = 1 };
enum { REPLY_ACCEPTED = 0, REPLY_DENIED = 1 };
enum { REJECT_RPC_MISMATCH = 0, REJECT_AUTH_ERROR = 1 };

void rpc_call_encode(struct wire_writer *writer, const struct rpc_call_header *header)
{
    wire_put_u32(writer, header->xid);
    wire_put_u32(writer, MSG_TYPE_CALL);
    wire_put_u32(writer, RPC_MESSAGE_VERSION);
    wire_put_u32(writer, header->program);
    wire_put_u32(writer, header->version);
    wire_put_u32(writer, header->procedure);
    wire_put_u32(writer, header->credential_flavor);
    wire_put_opaque(writer, header->credential, header->credential_length);
    wire_put_u32(writer, RPC_FLAVOR_NONE);
    wire_put_u32(writer, 0);
}

int rpc_call_decode(struct wire_reader *reader, struct rpc_call_header *header)
{
    uint32_t verifier_length;

    header->xid = wire_get_u32(reader);
    if (wire_get_u32(reader) != MSG_TYPE_CALL)
        return -EBADMSG;
    header->rpc_version = wire_get_u32(reader);
    if (reader->failed)
        return -EBADMSG;
    if (header->rpc_version != RPC_MESSAGE_VERSION)
        return -EPROTO;
    header->program = wire_get_u32(reader);
    header->version = wire_get_u32(reader);
    header->procedure = wire_get_u32(reader);
    header->credential_flavor = wire_get_u32(reader);
    header->credential = wire_get_opaque(reader, RPC_AUTH_BODY_MAXIMUM, &header->credential_length);
    wire_get_u32(reader);
    wire_get_opaque(reader, RPC_AUTH_BODY_MAXIMUM, &verifier_length);
    return reader->failed ? -EBADMSG : 0;
}

void rpc_reply_encode(struct wire_writer *writer, const struct rpc_reply_header *header)
{
    wire_put_u32(writer, header->xid);
    wire_put_u32(writer, MSG_TYPE_REPLY);
    if (header->outcome == RPC_OUTCOME_RPC_MISMATCH) {
        wire_put_u32(writer, REPLY_DENIED);
        wire_put_u32(writer, REJECT_RPC_MISMATCH);
    } else if (header->outcome == RPC_OUTCOME_AUTH_ERROR) {
        wire_put_u32(writer, REPLY_DENIED);
        wire_put_u32(writer, REJECT_AUTH_ERROR);
        wire_put_u32(writer, header->auth_status);
    } else {
        wire_put_u32(writer, REPLY_ACCEPTED);
        wire_put_u32(writer, RPC_FLAVOR_NONE);
        wire_put_u32(writer, 0);
        wire_put_u32(writer, header->outcome); /* the outcome's value is the accept_stat */
    }
    if (header->outcome == RPC_OUTCOME_RPC_MISMATCH ||
        header->outcome == RPC_OUTCOME_PROG_MISMATCH) {
        wire_put_u32(writer, header->low);
        wire_put_u32(writer, header->high);
    }
}

void rpc_reply_encode_verified(struct wire_writer *writer, const struct rpc_reply_header *header)
{
    wire_put_u32(writer, header->xid);
    wire_put_u32(writer, MSG_TYPE_REPLY);
    wire_put_u32(writer, REPLY_ACCEPTED);
    wire_put_u32(writer, header->verifier_flavor);
    wire_put_opaque(writer, header->verifier, header->verifier_length);
    wire_put_u32(writer, header->outcome);
}

static void read_versions(struct wire_reader *reader, struct rpc_reply_header *header)
{
    header->versions_known = wire_left(reader) >= 8;
    if (!header->versions_known)
        return;
    header->low = wire_get_u32(reader);
    header->high = wire_get_u32(reader);
}

static int decode_denied(struct wire_reader *reader, struct rpc_reply_header *header)
{
    uint32_t reject_stat = wire_get_u32(reader);

    if (reject_stat == REJECT_RPC_MISMATCH) {
        header->outcome = RPC_OUTCOME_RPC_MISMATCH;
        read_versions(reader, header);
    } else if (reject_stat == REJECT_AUTH_ERROR) {
        header->outcome = RPC_OUTCOME_AUTH_ERROR;
        header->auth_status = wire_get_u32(reader);
    } else {
        return -EBADMSG;
    }
    return reader->failed ? -EBADMSG : 0;
}

static int decode_accepted(struct wire_reader *reader, struct rpc_reply_header *header)
{
    uint32_t accept_stat;

    header->verifier_flavor = wire_get_u32(reader);
    header->verifier = wire_get_opaque(reader, RPC_AUTH_BODY_MAXIMUM, &header->verifier_length);
    accept_stat = wire_get_u32(reader);
    if (reader->failed || accept_stat > RPC_OUTCOME_SYSTEM_ERR)
        return -EBADMSG;
    header->outcome = (enum rpc_outcome)accept_stat;
    if (header->outcome == RPC_OUTCOME_PROG_MISMATCH)
        read_versions(reader, header);
    return 0;
}

int rpc_reply_decode(struct wire_reader *reader, struct rpc_reply_header *header)
{
    uint32_t message_type, reply_stat;

    header->versions_known = false;
    header->low = header->high = 0;
    header->xid = wire_get_u32(reader);
    message_type = wire_get_u32(reader);
    reply_stat = wire_get_u32(reader);
    if (reader->failed || message_type != MSG_TYPE_REPLY)
        return -EBADMSG;
    if (reply_stat == REPLY_ACCEPTED)
        return decode_accepted(reader, header);
    if (reply_stat == REPLY_DENIED)
        return decode_denied(reader, header);
    return -EBADMSG;
}

static const char *auth_status_name(uint32_t status)
{
    static const char *const names[] = {
        "AUTH_OK",           "AUTH_BADCRED", "AUTH_REJECTEDCRED", "AUTH_BADVERF",
        "AUTH_REJECTEDVERF", "AUTH_TOOWEAK", "AUTH_INVALIDRESP",  "AUTH_FAILED",
    };

    if (status < sizeof names / sizeof names[0])
        return names[status];
    return status == 13   ? "RPCSEC_GSS_CREDPROBLEM"
           : status == 14 ? "RPCSEC_GSS_CTXPROBLEM"
                          : "an unknown auth_stat";
}

const char *rpc_reply_describe(const struct rpc_reply_header *header, char *buffer, size_t size)
{
    static const char *const names[] = {
        [RPC_OUTCOME_SUCCESS] = "RPC_SUCCESS",
        [RPC_OUTCOME_PROG_UNAVAIL] = "RPC_PROGUNAVAIL",
        [RPC_OUTCOME_PROG_MISMATCH] = "RPC_PROGVERSMISMATCH",
        [RPC_OUTCOME_PROC_UNAVAIL] = "RPC_PROCUNAVAIL",
        [RPC_OUTCOME_GARBAGE_ARGS] = "RPC_CANTDECODEARGS",
        [RPC_OUTCOME_SYSTEM_ERR] = "RPC_SYSTEMERROR",
        [RPC_OUTCOME_RPC_MISMATCH] = "RPC_VERSMISMATCH",
        [RPC_OUTCOME_AUTH_ERROR] = "RPC_AUTHERROR",
    };
    const char *name = names[header->outcome];

    if (header->outcome == RPC_OUTCOME_AUTH_ERROR)
        snprintf(buffer, size, "%s %s", name, auth_status_name(header->auth_status));
    else if (header->versions_known)
        snprintf(buffer, size, "%s (it offers versions %u to %u)", name, header->low, header->high);
    else
        snprintf(buffer, size, "%s", name);
    return buffer;
}
