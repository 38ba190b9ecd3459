#include "capture/messages.h"

#include "nfs3.h"
#include "rpc/message.h"

/* RPCSEC_GSS (RFC 2203 section 5): a credential is version, procedure, sequence number, service and
 * the context's handle. */
enum { GSS_DATA = 0, GSS_NONE = 1, GSS_INTEGRITY = 2, GSS_PRIVACY = 3 };

enum {
    UP_TO_PROCEDURE = 24, /* bytes of a call */
    INTEGRITY_SIZE = 8,   /* what comes before arguments and results that are protected so */
};

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

/* A call of NFSv3. */
static void add_nfs_call(const struct message_counts *counts, const struct message_way *way,
                         struct captured_call *call, struct wire_reader *arguments)
{
    struct profile *profile = counts->profile;

    call->client = profile_add_host(&profile->clients, way->from);
    profile_add_host(&profile->servers, way->to);
    profile->over_tcp += way->is_tcp;
    profile->over_udp += !way->is_tcp;
    if (counts->fill && call->protection != GSS_PRIVACY)
        workload_fill_details(counts->fill, call, arguments);
}

static void add_call(const struct message_counts *counts, const struct message_way *way,
                     const struct record *message)
{
    struct wire_reader reader = wire_reader(message->head, message->head_length);
    struct rpc_call_header header = {.xid = 0};
    struct captured_call call;
    bool is_new, decoded = rpc_call_decode(&reader, &header) == 0;

    /* Credentials may be cut: what was called comes before them. */
    if (!decoded && message->head_length < UP_TO_PROCEDURE) {
        counts->profile->counts.undecodable++;
        return;
    }
    call = (struct captured_call){.name = {way->flow, header.xid, way->side},
                                  .time = message->time,
                                  .program = header.program,
                                  .version = header.version,
                                  .procedure = header.procedure,
                                  .length = message->length,
                                  .protection = decoded ? protection_of(&header) : 0};
    if (call.protection == GSS_INTEGRITY)
        wire_skip(&reader, INTEGRITY_SIZE);
    if (profile_decodes(&call))
        add_nfs_call(counts, way, &call, &reader);
    is_new = calls_add(counts->calls, &call);
    profile_add_call(counts->profile, &call, is_new);
    if (counts->fill && is_new && profile_decodes(&call))
        workload_fill_call(counts->fill, &call, way->connection);
}

/* The status of NFS in the result that READER is at. With integrity, the result comes after its
 * length and a sequence number. */
static int read_status(struct wire_reader *reader, const struct captured_call *call)
{
    uint32_t status;

    if (call->procedure == NFSPROC3_NULL)
        return 0;
    if (call->protection == GSS_PRIVACY)
        return CALL_STATUS_ENCRYPTED;
    if (call->protection == GSS_INTEGRITY)
        wire_skip(reader, INTEGRITY_SIZE);
    status = wire_get_u32(reader);
    if (reader->failed)
        return CALL_STATUS_CUT;
    return status < CALL_STATUS_ENCRYPTED ? (int)status : CALL_STATUS_ENCRYPTED - 1;
}

static void add_reply(const struct message_counts *counts, const struct message_way *way,
                      const struct record *message)
{
    struct wire_reader reader = wire_reader(message->head, message->head_length);
    struct profile *profile = counts->profile;
    struct captured_call *call;
    struct rpc_reply_header header;
    bool answered, decoded = rpc_reply_decode(&reader, &header) == 0;
    const struct call_name name = {way->flow, header.xid, !way->side};
    int status = CALL_STATUS_CUT;

    call = calls_answer(counts->calls, &name, &answered);
    profile->counts.unmatched += !call;
    profile->counts.duplicates += call && answered;
    profile->counts.undecodable += !decoded;
    if (!call || answered)
        return;
    if (decoded)
        status = header.outcome == RPC_OUTCOME_SUCCESS ? read_status(&reader, call)
                                                       : -(int)header.outcome;
    profile_add_reply(profile, call, message->time, message->length, status);
    if (counts->fill && profile_decodes(call))
        workload_fill_reply(counts->fill, call, way->connection, message->time, status, &reader);
}

/* A call whose reply the capture lacks would count as in flight to the end: its calls in flight
 * would be too many, and its client would never be without one. */
static void give_up(const struct message_counts *counts, uint64_t time)
{
    uint64_t before = time > MESSAGES_PATIENCE_NS ? time - MESSAGES_PATIENCE_NS : 0;
    struct captured_call *call;

    while ((call = calls_give_up(counts->calls, before))) {
        struct flow *flow = flows_numbered(counts->flows, call->name.flow);

        counts->profile->counts.given_up += profile_decodes(call);
        if (counts->fill && profile_decodes(call))
            workload_fill_give_up(counts->fill, call, flow ? &flow->connection : NULL);
    }
}

void messages_add(const struct message_counts *counts, const struct message_way *way,
                  const struct record *message)
{
    struct wire_reader reader = wire_reader(message->head, message->head_length);
    uint32_t type;

    counts->profile->counts.messages++;
    give_up(counts, message->time);
    wire_get_u32(&reader);
    type = wire_get_u32(&reader);
    if (type == 0)
        add_call(counts, way, message);
    else
        add_reply(counts, way, message);
}
