#include "nfs/procedures/xdr_work.h"

#include <errno.h>
#include <stdlib.h>

/* Keep the compiler from removing the code that writes to MEMORY. */
static void force_read(const void *memory)
{
    __asm__ volatile("" : : "r"(memory) : "memory");
}

static int encode_call_once(struct xdr_work *work)
{
    const struct engine_call *call = &work->call->engine;

    return rpc_message_encode(work->message.bytes, RPC_RECORD_MARK_SIZE + call->messages[0].length,
                              call->procedure, call->identity, call->arguments,
                              &work->message.length);
}

static int decode_reply_once(struct xdr_work *work)
{
    const struct rpc_procedure *procedure = work->call->engine.procedure;
    struct wire_reader reader = wire_reader(work->call->reply, work->call->reply_length);
    struct rpc_reply_header header;

    if (rpc_reply_decode(&reader, &header) != 0 || header.outcome != RPC_OUTCOME_SUCCESS ||
        rpc_result_decode(procedure, &reader, &work->result) != 0)
        return -EBADMSG;
    force_read(&work->result);
    xdr_free(procedure->xdr_result, &work->result);
    return 0;
}

/* Protection */

static enum gss_part gss_part_of(enum xdr_work_kind kind)
{
    return (enum gss_part)(kind - XDR_WORK_MIC);
}

bool xdr_work_has(const struct xdr_work *work, enum xdr_work_kind kind)
{
    return kind < XDR_WORK_MIC ||
           (work->security && work->security->type->has_part(work->security, gss_part_of(kind)));
}

static void repeat_part(struct xdr_work *work, enum xdr_work_kind kind, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int code =
            work->security->type->do_part(work->security, gss_part_of(kind),
                                          &work->call->engine.messages[0], &work->call->sealed);

        work->code = code ? code : work->code;
    }
}

static int try_parts(struct xdr_work *work, struct error *error)
{
    for (enum xdr_work_kind kind = XDR_WORK_MIC; kind < XDR_WORKS; kind++)
        if (xdr_work_has(work, kind))
            repeat_part(work, kind, 1);
    return work->code ? work->security->type->describe(work->security, work->code, error) : 0;
}

int xdr_work_open(struct xdr_work *work, const struct nfs_call *call, struct gss_client *security,
                  struct error *error)
{
    const char *name = call->procedure->rpc.name;

    work->call = call;
    work->security = call->sealed.bytes ? security : NULL;
    work->code = 0;
    work->message.bytes = malloc(RPC_RECORD_MARK_SIZE + call->engine.messages[0].length);
    if (!work->message.bytes)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a message");
    if (encode_call_once(work) != 0)
        return error_set(error, ERROR_FAILED, -EINVAL, "the arguments of %s can't be encoded",
                         name);
    if (decode_reply_once(work) != 0 ||
        engine_check_reply(&call->engine, call->reply, call->reply_length, NULL))
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the reply to %s can't be decoded (RPC_CANTDECODERES): it does not follow "
                         "RFC 5531 and RFC 1813",
                         name);
    return try_parts(work, error);
}

void xdr_work_close(struct xdr_work *work)
{
    free(work->message.bytes);
    work->message.bytes = NULL;
}

static void repeat_encode(struct xdr_work *work, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        encode_call_once(work);
        force_read(work->message.bytes);
    }
}

static void repeat_decode(struct xdr_work *work, size_t count)
{
    for (size_t i = 0; i < count; i++)
        decode_reply_once(work);
}

static void repeat_stamp(struct xdr_work *work, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        channel_message_stamp(&work->message, (uint32_t)i);
        force_read(work->message.bytes);
    }
}

static void repeat_check(struct xdr_work *work, size_t count)
{
    const struct nfs_call *call = work->call;
    volatile int status; /* volatile, so that the compiler keeps the call */

    for (size_t i = 0; i < count; i++) {
        status = engine_check_reply(&call->engine, call->reply, call->reply_length, NULL);
        (void)status;
    }
}

void xdr_work_repeat(struct xdr_work *work, enum xdr_work_kind kind, size_t count)
{
    static void (*const repeat[XDR_WORK_MIC])(struct xdr_work *, size_t) = {
        [XDR_WORK_ENCODE] = repeat_encode,
        [XDR_WORK_DECODE] = repeat_decode,
        [XDR_WORK_STAMP] = repeat_stamp,
        [XDR_WORK_CHECK] = repeat_check,
    };

    if (!xdr_work_has(work, kind))
        return;
    if (kind < XDR_WORK_MIC)
        repeat[kind](work, count);
    else
        repeat_part(work, kind, count);
}
