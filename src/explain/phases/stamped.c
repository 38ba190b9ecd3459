#include "explain/phases/stamped.h"

#include <errno.h>
#include <stdlib.h>

#include "common/memory.h"
#include "common/system_clock.h"
#include "engine/channel/rpc_client.h"
#include "engine/wire/connection.h"

struct stamped {
    struct engine engine;
    struct engine_config config;
    struct channel *channel;
    struct load_log *log; /* NULL: no timestamps */
    void *bytes;          /* encoded bytes of the current call */
    size_t room;
    void *arguments; /* arguments of the current call, if calls have places (engine/patch.h) */
    size_t arguments_size;
};

static int reserve_call(struct stamped *stamped, const struct engine_call *call)
{
    size_t longest = 0;
    int code;

    for (size_t i = 0; i < call->variants; i++)
        if (call->messages[i].length > longest)
            longest = call->messages[i].length;
    code = array_reserve(&stamped->bytes, &stamped->room,
                         longest + RPC_RECORD_MARK_SIZE + RPC_CALL_HEADER_MAXIMUM, 1);
    return code ? code
                : array_reserve(&stamped->arguments, &stamped->arguments_size, call->arguments_size,
                                1);
}

static int encode_call(struct stamped *stamped, const struct engine_call *call, size_t number,
                       struct channel_message *message)
{
    size_t variant = (call->first + number) % call->variants;
    void *arguments = (char *)call->arguments + variant * call->arguments_size;

    if (call->places) {
        arguments = stamped->arguments;
        call->fill_arguments(call->context, call->first + number, arguments);
    }
    *message = (struct channel_message){.bytes = stamped->bytes};
    return rpc_message_encode(stamped->bytes, stamped->room, call->procedure, call->identity,
                              arguments, &message->length);
}

static uint32_t xid_of(const struct channel_reply *reply)
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);

    return wire_get_u32(&reader);
}

/* Encode a call, send it and receive *REPLY. Sets SLOT's members RESENT and XID. With Kerberos,
 * sets the timestamps ENCODED and UNWRAPPED in TIMES. Returns 0, or a negative errno with ERROR
 * set. */
static int exchange_call(struct stamped *stamped, const struct engine_call *call,
                         struct call_slot *slot, struct call_times *times,
                         struct channel_reply *reply, struct error *error)
{
    const bool has_kerberos = stamped->config.channel.security.flavor != 0;
    struct channel_message message;
    int code = encode_call(stamped, call, slot->number, &message);

    if (code)
        return error_set(error, ERROR_FAILED, code, "can't encode the arguments of %s",
                         call->procedure->name);
    if (has_kerberos)
        times->at[TIMESTAMP_ENCODED] = monotonic_ns();
    code = channel_exchange(stamped->channel, &message, stamped->config.clock, reply, error);
    if (code)
        return code;
    if (has_kerberos)
        times->at[TIMESTAMP_UNWRAPPED] = monotonic_ns();
    slot->resent = !reply->first_try;
    /* The kernel can't see an encrypted xid. */
    slot->xid = stamped->config.channel.tls ? 0 : xid_of(reply);
    return 0;
}

/* Log the answer, set REPLY's ticks to the logged lifetime, and collect the kernel's timestamps. */
static void log_answer(struct load_log *log, const struct call_slot *slot,
                       struct channel_reply *reply, int status)
{
    log->watches->answered(log->watches->context, 0, slot, reply->length, 0, status);
    reply->ticks = log->calls[slot->number].ticks;
    load_log_collect(log, log->connections);
}

/* Make call NUMBER and set REPLY's ticks. With a log, only calls that the log selects have ticks
 * and timestamps. */
static int make_call(struct stamped *stamped, const struct engine_call *call, size_t number,
                     struct channel_reply *reply, int *status, struct error *error)
{
    const struct clock *clock = stamped->config.clock;
    struct load_log *log = stamped->log;
    struct call_slot slot = {.number = number};
    struct call_times ignored;
    uint64_t began = clock->start();
    int code;

    if (log)
        log->watches->adding(log->watches->context, 0, &slot, 0);
    code = exchange_call(stamped, call, &slot, log ? &log->calls[number].times : &ignored, reply,
                         error);
    if (code)
        return code;
    *status = engine_check_reply(call, reply->bytes, reply->length, NULL);
    if (log)
        log_answer(log, &slot, reply, *status);
    else
        reply->ticks = clock->stop() - began;
    return *status == -EBADMSG ? engine_refuse_garbage(reply->length, error) : 0;
}

static int run_stamped_calls(struct stamped *stamped, const struct engine_call *call,
                             struct block *block, struct engine_tally *tally, struct error *error)
{
    for (size_t i = 0; i < block->count; i++) {
        struct channel_reply reply;
        int status = 0, code;

        engine_pause(call);
        code = make_call(stamped, call, i, &reply, &status, error);
        if (code)
            return code;
        if (status != 0)
            engine_note_error(tally, status);
        else if (reply.first_try && (!stamped->log || stamped->log->calls[i].answered))
            block->ticks[block->recorded++] = reply.ticks;
    }
    return 0;
}

static int stamped_run(struct engine *engine, const struct engine_call *call, struct block *block,
                       struct engine_tally *tally, struct error *error)
{
    struct stamped *stamped = (struct stamped *)engine;
    struct channel_counts before = *channel_counts(stamped->channel);
    int code;

    if (deadline_is_stopped(&stamped->config.channel.deadline))
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    if (reserve_call(stamped, call) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a block");
    code = run_stamped_calls(stamped, call, block, tally, error);
    channel_counts_add_between(&tally->counts, &before, channel_counts(stamped->channel));
    return code;
}

static void stamped_close(struct engine *engine)
{
    struct stamped *stamped = (struct stamped *)engine;

    channel_close(stamped->channel);
    free(stamped->bytes);
    free(stamped->arguments);
    free(stamped);
}

static const struct engine_type stamped_type = {
    .name = "stamped",
    .counts_retransmissions = true,
    .spins = true,
    .sets_receive_window = true,
    .run = stamped_run,
    .close = stamped_close,
};

int stamped_open(struct engine **engine, const struct engine_config *config, struct load_log *log,
                 struct error *error)
{
    struct stamped *stamped = calloc(1, sizeof *stamped);
    int code;

    if (!stamped)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    stamped->engine.type = &stamped_type;
    stamped->config = *config;
    stamped->config.channel.watch = log ? log->watches : NULL;
    stamped->log = log;
    code = channel_open(&stamped->channel, &config->endpoint, &stamped->config.channel, error);
    if (code)
        stamped_close(&stamped->engine);
    else
        *engine = &stamped->engine;
    return code;
}
