#include "server/dispatch.h"

#include <errno.h>

#include "server/nfs.h"
#include "server/spin.h"

enum { NOBODY = 65534, AUTH_STATUS_BADCRED = 1 };

/* Credentials */

static bool read_auth_sys(struct wire_reader body, struct caller *caller)
{
    uint32_t length;

    wire_get_u32(&body); /* stamp */
    wire_get_opaque(&body, RPC_AUTH_SYS_NAME_MAXIMUM, &length);
    caller->uid = wire_get_u32(&body);
    caller->gid = wire_get_u32(&body);
    caller->gid_count = wire_get_u32(&body);
    if (caller->gid_count > RPC_AUTH_SYS_GIDS_MAXIMUM)
        return false;
    for (uint32_t i = 0; i < caller->gid_count; i++)
        caller->gids[i] = wire_get_u32(&body);
    return !body.failed && wire_left(&body) == 0;
}

/* Who calls? False for a credential that is malformed, or of a kind that is not known here. */
static bool read_caller(const struct rpc_call_header *header, struct caller *caller)
{
    if (header->credential_flavor == RPC_FLAVOR_SYS)
        return read_auth_sys(wire_reader(header->credential, header->credential_length), caller);
    caller->uid = caller->gid = NOBODY;
    caller->gid_count = 0;
    return header->credential_flavor == RPC_FLAVOR_NONE;
}

/* Programs */

struct program {
    uint32_t version;
    const call_procedure *table;
    size_t size;
};

static bool find_program(uint32_t number, struct program *program)
{
    if (number == NFS_PROGRAM)
        *program = (struct program){NFS_V3, nfs_table, nfs_table_size};
    else if (number == MOUNT_PROGRAM)
        *program = (struct program){MOUNT_V3, mount_table, mount_table_size};
    else
        return false;
    return true;
}

/* The procedure to run, or NULL with REPLY's outcome saying why not. */
static call_procedure find_procedure(const struct rpc_call_header *header,
                                     struct rpc_reply_header *reply)
{
    struct program program;

    reply->outcome = RPC_OUTCOME_PROG_UNAVAIL;
    if (!find_program(header->program, &program))
        return NULL;
    reply->outcome = RPC_OUTCOME_PROG_MISMATCH;
    reply->low = reply->high = program.version;
    if (header->version != program.version)
        return NULL;
    reply->outcome = RPC_OUTCOME_PROC_UNAVAIL;
    if (header->procedure >= program.size)
        return NULL;
    return program.table[header->procedure];
}

/* Messages */

/* Run the procedure: its results stand in CALL behind room for the reply's header. */
static void run(struct service *service, const struct rpc_call_header *header, struct call *call,
                struct rpc_reply_header *reply)
{
    call_procedure procedure = find_procedure(header, reply);

    if (!procedure)
        return;
    if (!read_caller(header, &call->caller)) {
        reply->outcome = RPC_OUTCOME_AUTH_ERROR;
        reply->auth_status = AUTH_STATUS_BADCRED;
        return;
    }
    call->cost_ns = header->program == NFS_PROGRAM ? service->cost_ns[header->procedure] : 0;
    reply->outcome = procedure(call);
    if (call->results.failed)
        reply->outcome = RPC_OUTCOME_SYSTEM_ERR;
}

static size_t refuse(struct rpc_reply_header *header, uint8_t *reply)
{
    struct wire_writer writer = wire_writer(reply, DISPATCH_REPLY_MAXIMUM);

    rpc_reply_encode(&writer, header);
    return (size_t)(writer.at - reply);
}

/* Answer the request; HEADER, of which at least the program is set, says what it was. */
static size_t answer(struct service *service, const uint8_t *request, size_t length, bool stream,
                     const struct sockaddr_storage *peer, uint8_t *reply,
                     struct rpc_call_header *header)
{
    struct rpc_reply_header outcome = {.outcome = RPC_OUTCOME_SUCCESS};
    struct call call = {
        .arguments = wire_reader(request, length),
        .results = wire_writer(reply, DISPATCH_REPLY_MAXIMUM),
        .tree = service->tree,
        .mounts = &service->mounts,
        .peer = peer,
        .read_maximum = stream ? CALL_READ_MAXIMUM_STREAM : CALL_READ_MAXIMUM_DATAGRAM,
    };
    int code = rpc_call_decode(&call.arguments, header);

    if (code == -EBADMSG)
        return 0;
    outcome.xid = header->xid;
    if (code) {
        outcome.outcome = RPC_OUTCOME_RPC_MISMATCH;
        outcome.low = outcome.high = RPC_MESSAGE_VERSION;
        return refuse(&outcome, reply);
    }
    rpc_reply_encode(&call.results, &outcome);
    run(service, header, &call, &outcome);
    if (outcome.outcome != RPC_OUTCOME_SUCCESS)
        return refuse(&outcome, reply);
    return (size_t)(call.results.at - reply);
}

size_t dispatch_message(struct service *service, const uint8_t *request, size_t length, bool stream,
                        const struct sockaddr_storage *peer, uint8_t *reply)
{
    struct rpc_call_header header = {.program = 0};
    uint64_t started;
    size_t answered;

    if (!service->service_times)
        return answer(service, request, length, stream, peer, reply, &header);
    started = spin_ticks();
    answered = answer(service, request, length, stream, peer, reply, &header);
    if (header.program == NFS_PROGRAM && header.procedure < nfs_table_size)
        service_time_record(&service->service_times[header.procedure],
                            spin_ticks_ns(spin_ticks() - started));
    return answered;
}
