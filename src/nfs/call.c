#include "nfs/call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/status.h"

int nfs_call_check(const void *context, struct wire_reader *reader)
{
    const struct nfs_call *call = context;
    uint32_t status;
    int finding;

    if (!call->procedure->check)
        return wire_left(reader) == 0 ? 0 : -EBADMSG;
    status = wire_get_u32(reader);
    if (reader->failed || status > INT32_MAX)
        return -EBADMSG;
    if (status != NFS3_OK)
        return (int)status;
    finding = call->procedure->check(reader, call->subject);
    return reader->failed || wire_left(reader) != 0 ? -EBADMSG : finding;
}

/* The same of a result that libtirpc has decoded. */
static int decoded_status(const void *context, const void *result)
{
    const struct nfs_call *call = context;
    const union nfs_result *decoded = result;
    const struct nfs_read_plan *plan = &call->subject->read;

    if (!call->procedure->check)
        return 0;
    if (decoded->status != NFS3_OK || call->procedure->rpc.number != NFSPROC3_READ)
        return (int)decoded->status;
    if (decoded->read.READ3res_u.resok.count != plan->expected ||
        decoded->read.READ3res_u.resok.data.data_len != plan->expected)
        return NFS_SHORT_READ;
    return plan->data && memcmp(decoded->read.READ3res_u.resok.data.data_val, plan->data,
                                plan->expected) != 0
               ? NFS_DATA_MISMATCH
               : 0;
}

int nfs_call_make(struct nfs_call *call, const struct nfs_procedure *procedure,
                  const struct nfs_subject *subject, const struct identity *identity,
                  struct error *error)
{
    memset(call, 0, sizeof *call);
    call->procedure = procedure;
    call->subject = subject;
    if (procedure->arguments)
        procedure->arguments(subject, &call->arguments);
    call->engine.procedure = &procedure->rpc;
    call->engine.identity = identity;
    call->engine.check = nfs_call_check;
    call->engine.status = decoded_status;
    call->engine.context = call;
    call->engine.arguments = &call->arguments;
    call->engine.result = &call->result;
    return rpc_message_make(&call->engine.message, &procedure->rpc, identity, &call->arguments,
                            error);
}

void nfs_call_free(struct nfs_call *call)
{
    free(call->engine.message.bytes);
    call->engine.message.bytes = NULL;
}

int nfs_call_try(struct nfs_call *call, struct rpc_client *client, int *status, struct error *error)
{
    struct rpc_client_reply reply = {.length = 0};
    int code =
        rpc_client_exchange(client, &call->procedure->rpc, &call->engine.message, &reply, error);

    *status = 0;
    call->reply_length = reply.length;
    if (code == -EPROTONOSUPPORT || code == -EPROTO || code == -EACCES) {
        *status = -(int)reply.header.outcome; /* an answer, if not the one hoped for */
        return 0;
    }
    if (code)
        return code;
    *status = nfs_call_check(call, &reply.results);
    if (*status == -EBADMSG)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the result of %s can't be decoded (RPC_CANTDECODERES): it is cut short "
                         "or does not follow RFC 1813",
                         call->procedure->rpc.name);
    return 0;
}
