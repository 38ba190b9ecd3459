/* The default engine without load: one call at a time, over a channel. It sends messages that were
 * encoded before, and checks replies in the receive buffer. */
#include <errno.h>
#include <stdlib.h>

#include "common/deadline.h"
#include "engine/engine.h"
#include "engine/sequence.h"

extern const struct worker_type worker_pipeline;

struct wire_engine {
    struct engine engine;
    struct channel *channel;
    const struct clock *clock;
    bool count_resent;
    const volatile sig_atomic_t *stop;
};

static int wire_open(struct engine **engine, const struct engine_config *config,
                     struct error *error)
{
    struct wire_engine *wire = calloc(1, sizeof *wire);
    int code;

    if (!wire)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    code = channel_open(&wire->channel, &config->endpoint, &config->channel, error);
    if (code) {
        free(wire);
        return code;
    }
    channel_lift_deadline(wire->channel);
    wire->clock = config->clock;
    wire->count_resent = config->count_resent;
    wire->stop = config->channel.deadline.stop;
    *engine = &wire->engine;
    return 0;
}

static void wire_close(struct engine *engine)
{
    struct wire_engine *wire = (struct wire_engine *)engine;

    channel_close(wire->channel);
    free(wire);
}

/* Return the message of call NUMBER with its place written into it. If there are several variants,
 * load the message into the cache before the clock starts, so that cache misses are not timed. */
static const struct channel_message *next_message(const struct engine_call *call, size_t number)
{
    enum { CACHE_LINE = 64 };
    const struct channel_message *message = engine_message(call, call->first + number);

    if (call->places)
        engine_patch_write(message->patch, &call->places[call->first + number], message->bytes);
    for (size_t at = 0; call->variants > 1 && at < message->length; at += CACHE_LINE)
        (void)*(const volatile uint8_t *)(message->bytes + at);
    return message;
}

static void note_resent(const struct wire_engine *wire, const struct channel_reply *reply,
                        struct engine_tally *tally)
{
    uint64_t now = wire->clock->stop();

    engine_gaps_note(&tally->gaps, now - reply->waited, now);
}

/* Return whether BLOCK must end before its last call because its time is over, and set BLOCK's
 * is_cut. NUMBER and REPLY are those of the latest call. After a quick call the time is not read,
 * because a block of quick calls is short. */
static bool is_cut_after(const struct wire_engine *wire, const struct channel_reply *reply,
                         struct block *block, size_t number)
{
    enum { QUICK_NS = 1000 * 1000 };
    const uint64_t took = reply->first_try ? reply->ticks : reply->waited;

    if ((double)took * wire->clock->ns_per_tick < QUICK_NS || block->until_ns == 0 ||
        deadline_now_ns() < block->until_ns)
        return false;
    block->is_cut = number + 1 < block->count;
    return block->is_cut;
}

static int run_calls(struct wire_engine *wire, const struct engine_call *call, struct block *block,
                     struct engine_tally *tally, struct error *error)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct channel_message *message = next_message(call, i);
        struct channel_reply reply;
        int status;

        engine_pause(call);
        status = channel_exchange(wire->channel, message, wire->clock, &reply, error);

        if (status)
            return status;
        if (!reply.first_try)
            note_resent(wire, &reply, tally);
        status = engine_check_reply(call, reply.bytes, reply.length, tally);
        status = engine_verify_reply(call, call->first + i, reply.bytes, reply.length, status);
        if (status == -EBADMSG)
            return engine_refuse_garbage(reply.length, error);
        if (status != 0)
            engine_note_error(tally, status);
        else if (reply.first_try || wire->count_resent)
            block->ticks[block->recorded++] = reply.first_try ? reply.ticks : reply.waited;
        if (is_cut_after(wire, &reply, block, i))
            break;
    }
    return 0;
}

/* Return TICKS, the total of CALLS round trips, less the clock's cost of CALLS - 1 round trips. The
 * cost of one round trip is subtracted later, as from the ticks of a single call. */
static uint64_t less_clock(const struct clock *clock, uint64_t ticks, uint64_t calls)
{
    double cost = calls ? clock->cost_ticks * (double)(calls - 1) : 0;

    return (double)ticks > cost ? ticks - (uint64_t)cost : 0;
}

/* Make the calls of op NUMBER of CALL, one at a time. If all succeed, *TICKS is the sum of their
 * round trips, less the clock's cost of all but one. *RECORDED is true if each call succeeded at
 * the first attempt. Returns as engine_run() does. */
static int run_sequence(const struct wire_engine *wire, const struct engine_call *call,
                        size_t number, uint64_t *ticks, bool *recorded, struct engine_tally *tally,
                        struct error *error)
{
    const struct engine_sequence *sequence = call->sequence;
    const struct channel_message *message;
    struct sequence_made made = {.first_try = true};
    uint32_t tag;

    sequence->begin(call->sequence_state, number);
    *recorded = false;
    while ((message = sequence->next(call->sequence_state, &tag))) {
        struct channel_reply reply;
        int status = channel_exchange(wire->channel, message, wire->clock, &reply, error);

        if (status)
            return status;
        status = engine_check_part(call, tag, reply.bytes, reply.length, tally);
        if (status == -EBADMSG)
            return engine_refuse_garbage(reply.length, error);
        if (status != 0) {
            engine_note_error(tally, status);
            return 0;
        }
        sequence_count_call(&made, message->length);
        made.ticks += reply.ticks;
        made.reply_bytes += reply.length;
        made.first_try &= reply.first_try;
    }
    sequence_count_op(call, &made, tally);
    *ticks = less_clock(wire->clock, made.ticks, made.calls);
    *recorded = made.first_try;
    return 0;
}

static int run_sequences(struct wire_engine *wire, const struct engine_call *call,
                         struct block *block, struct engine_tally *tally, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < block->count && code == 0; i++) {
        bool timed;

        engine_pause(call);
        code = run_sequence(wire, call, call->first + i, &block->ticks[block->recorded], &timed,
                            tally, error);
        block->recorded += timed;
    }
    return code;
}

static int wire_run(struct engine *engine, const struct engine_call *call, struct block *block,
                    struct engine_tally *tally, struct error *error)
{
    struct wire_engine *wire = (struct wire_engine *)engine;
    struct channel_counts before = *channel_counts(wire->channel);
    int code;

    if (wire->stop && *wire->stop)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    code = call->sequence ? run_sequences(wire, call, block, tally, error)
                          : run_calls(wire, call, block, tally, error);
    channel_counts_add_between(&tally->counts, &before, channel_counts(wire->channel));
    return code;
}

static size_t wire_sockets(const struct engine *engine, int *fds, size_t room)
{
    const int fd = channel_descriptor(((const struct wire_engine *)engine)->channel);

    if (fd < 0 || room == 0)
        return 0;
    fds[0] = fd;
    return 1;
}

const struct engine_type engine_wire = {
    .name = "wire",
    .counts_retransmissions = true,
    .spins = true,
    .sets_receive_window = true,
    .has_kerberos = true,
    .has_tls = true,
    .takes_sequences = true,
    .open = wire_open,
    .run = wire_run,
    .close = wire_close,
    .sockets = wire_sockets,
    .worker = &worker_pipeline,
};
