#include "capture/messages.h"

#include "nfs3.h"
#include "rpc/message.h"

/* RPCSEC_GSS (RFC 2203 section 5): a credential is version, procedure, sequence number, service and
 * the context's handle. */
enum { GSS_DATA = 0, GSS_NONE = 1, GSS_INTEGRITY = 2, GSS_PRIVACY = 3 };

/* The service that protects a call's arguments and results; 0: none. */
static uint32_t protection_of(const struct rpc_call_header *header)
{
    struct wire_reader reader = wire_reader(header->credential, header->credential_length);
    uint32_t procedure;

    if (header->credential_flavor != RPC_FLAVOR_GSS)
        return 0;
    wire_get_u32(&reader);
    procedure = wire_get_u32(&reader);
    wire_get_u32(&reader);
    return procedure == GSS_DATA ? wire_get_u32(&reader) : 0;
}

static void add_call(struct profile *profile, struct calls *calls, const struct message_way *way,
                     const struct record *message)
{
    struct wire_reader reader = wire_reader(message->head, message->head_length);
    struct rpc_call_header header;
    struct captured_call call;

    if (rpc_call_decode(&reader, &header) != 0) {
        profile->counts.undecodable++;
        return;
    }
    call = (struct captured_call){.name = {way->flow, header.xid, way->side},
                                  .time = message->time,
                                  .program = header.program,
                                  .version = header.version,
                                  .procedure = header.procedure,
                                  .length = message->length,
                                  .protection = protection_of(&header)};
    profile_add_call(profile, &call, calls_add(calls, &call));
    if (!profile_decodes(&call))
        return;
    profile_add_host(&profile->clients, way->from);
    profile_add_host(&profile->servers, way->to);
    profile->over_tcp += way->is_tcp;
    profile->over_udp += !way->is_tcp;
}

/* The status of NFS in the result that READER is at. With integrity, the result comes after its
 * length and a sequence number. */
static int read_status(struct wire_reader *reader, const struct captured_call *call)
{
    uint32_t status;

    if (call->procedure == NFSPROC3_NULL)
        return 0;
    if (call->protection == GSS_PRIVACY)
        return PROFILE_STATUS_PROTECTED;
    if (call->protection == GSS_INTEGRITY)
        wire_skip(reader, 8);
    status = wire_get_u32(reader);
    if (reader->failed)
        return PROFILE_STATUS_CUT;
    return status < PROFILE_STATUS_PROTECTED ? (int)status : PROFILE_STATUS_PROTECTED - 1;
}

static void add_reply(struct profile *profile, struct calls *calls, const struct message_way *way,
                      const struct record *message)
{
    struct wire_reader reader = wire_reader(message->head, message->head_length);
    struct captured_call *call;
    struct rpc_reply_header header;
    bool answered, decoded = rpc_reply_decode(&reader, &header) == 0;
    const struct call_name name = {way->flow, header.xid, !way->side};
    int status = PROFILE_STATUS_CUT;

    call = calls_answer(calls, &name, &answered);
    profile->counts.unmatched += !call;
    profile->counts.duplicates += call && answered;
    profile->counts.undecodable += !decoded;
    if (!call || answered)
        return;
    if (decoded)
        status = header.outcome == RPC_OUTCOME_SUCCESS ? read_status(&reader, call)
                                                       : -(int)header.outcome;
    profile_add_reply(profile, call, message->time, message->length, status);
}

void messages_add(struct profile *profile, struct calls *calls, const struct message_way *way,
                  const struct record *message)
{
    struct wire_reader reader = wire_reader(message->head, message->head_length);
    uint32_t type;

    profile->counts.messages++;
    wire_get_u32(&reader);
    type = wire_get_u32(&reader);
    if (type == 0)
        add_call(profile, calls, way, message);
    else
        add_reply(profile, calls, way, message);
}
