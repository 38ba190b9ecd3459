#include "engine/sequence.h"

#include <errno.h>

/* The clock's cost is in each round trip, and will be subtracted once. */
static uint64_t less_clock(const struct clock *clock, uint64_t ticks, uint64_t calls)
{
    double cost = calls ? clock->cost_ticks * (double)(calls - 1) : 0;

    return (double)ticks > cost ? ticks - (uint64_t)cost : 0;
}

void sequence_count_op(const struct engine_call *call, const struct sequence_made *made,
                       struct engine_tally *tally)
{
    tally->sequences++;
    tally->sequence_calls += made->calls;
    tally->sequence_call_bytes += made->call_bytes;
    tally->sequence_reply_bytes += made->reply_bytes;
    tally->sequence_entries += call->sequence->entries(call->sequence_state);
}

int sequence_run(struct channel *channel, const struct clock *clock, const struct engine_call *call,
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
        int status = channel_exchange(channel, message, clock, &reply, error);

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
    *ticks = less_clock(clock, made.ticks, made.calls);
    *recorded = made.first_try;
    return 0;
}
