#include "engine/xdr_call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int xdr_call_open(struct xdr_call *xdr_call, const struct engine_call *call,
                  const struct rpc_client_reply *reply, struct error *error)
{
    size_t longest = 0;

    for (size_t i = 0; i < call->variants; i++)
        if (call->messages[i].length > longest)
            longest = call->messages[i].length;
    *xdr_call = (struct xdr_call){
        .call = call, .room = RPC_RECORD_MARK_SIZE + longest, .reply_length = reply->length};
    xdr_call->message = malloc(xdr_call->room);
    xdr_call->reply = malloc(reply->length);
    if (!xdr_call->message || !xdr_call->reply)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a message");
    memcpy(xdr_call->reply, reply->results.end - reply->length, reply->length);
    return 0;
}

void xdr_call_close(struct xdr_call *xdr_call)
{
    free(xdr_call->message);
    free(xdr_call->reply);
    *xdr_call = (struct xdr_call){.call = NULL};
}

static int decode_reply(const struct xdr_call *xdr_call)
{
    const struct rpc_procedure *procedure = xdr_call->call->procedure;
    struct wire_reader reader = wire_reader(xdr_call->reply, xdr_call->reply_length);
    void *result = xdr_call->call->result;
    struct rpc_reply_header header;
    bool decoded;
    XDR xdr;

    if (rpc_reply_decode(&reader, &header) != 0 || header.outcome != RPC_OUTCOME_SUCCESS)
        return -EBADMSG;
    memset(result, 0, procedure->result_size);
    /* Decoding does not write to its stream. */
    xdrmem_create(&xdr, (char *)(uintptr_t)reader.at, (unsigned)wire_left(&reader), XDR_DECODE);
    decoded = procedure->xdr_result(&xdr, result, 0);
    xdr_destroy(&xdr);
    xdr_free(procedure->xdr_result, result);
    return decoded ? 0 : -EBADMSG;
}

int xdr_call_make(const struct xdr_call *xdr_call, size_t number)
{
    const struct engine_call *call = xdr_call->call;
    uint8_t *arguments = call->arguments;
    size_t length;

    arguments += (call->first + number) % call->variants * call->arguments_size;
    if (rpc_message_encode(xdr_call->message, xdr_call->room, call->procedure, call->identity,
                           arguments, &length) != 0)
        return -EBADMSG;
    return decode_reply(xdr_call);
}
