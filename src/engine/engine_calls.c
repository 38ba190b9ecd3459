/* Functions that all engines share: opening, blocks, tallies, checks of replies. */
#include <errno.h>

#include "common/deadline.h"
#include "engine/engine.h"
#include "engine/sequence.h"
#include "rpc/message.h"

enum { PAUSE_AFTER_ERROR_NS = 1000 * 1000 };

void engine_count_errors(struct engine_tally *tally, int status, uint64_t count)
{
    size_t i = 0;

    while (i < tally->error_kinds && tally->errors[i].status != status)
        i++;
    if (i == ENGINE_ERRORS_MAXIMUM)
        i--;
    if (i == tally->error_kinds)
        tally->errors[tally->error_kinds++].status = status;
    tally->errors[i].count += count;
    tally->failed += count;
}

void engine_count_error(struct engine_tally *tally, int status)
{
    engine_count_errors(tally, status, 1);
}

void engine_note_error(struct engine_tally *tally, int status)
{
    engine_count_errors(tally, status, 1);
    deadline_pause(PAUSE_AFTER_ERROR_NS);
}

void engine_tally_add(struct engine_tally *sum, const struct engine_tally *added)
{
    channel_counts_add(&sum->counts, &added->counts);
    engine_gaps_add(&sum->gaps, &added->gaps);
    for (size_t i = 0; i < added->waits.kept; i++)
        engine_gaps_keep(&sum->waits, &added->waits.longest[i]);
    for (size_t i = 0; i < added->error_kinds; i++)
        engine_count_errors(sum, added->errors[i].status, added->errors[i].count);
    sum->trailing += added->trailing;
    sum->sequences += added->sequences;
    sum->sequence_calls += added->sequence_calls;
    sum->sequence_entries += added->sequence_entries;
    sum->sequence_call_bytes += added->sequence_call_bytes;
    sum->sequence_reply_bytes += added->sequence_reply_bytes;
    sum->steady_calls += added->steady_calls;
    sum->steady_ticks += added->steady_ticks;
    sum->turn_ticks += added->turn_ticks;
    sum->turn_calls += added->turn_calls;
    sum->unanswered += added->unanswered;
    sum->unsent += added->unsent;
    for (size_t i = 0; i < LOAD_HOLDS; i++)
        sum->held_ticks[i] += added->held_ticks[i];
    if (added->owed_since && (sum->owed_since == 0 || added->owed_since < sum->owed_since))
        sum->owed_since = added->owed_since;
}

void sequence_count_op(const struct engine_call *call, const struct sequence_made *made,
                       struct engine_tally *tally)
{
    const struct sequence_state *state = call->sequence_state;

    tally->sequences++;
    tally->sequence_calls += made->calls;
    tally->sequence_call_bytes += made->call_bytes;
    tally->sequence_reply_bytes += made->reply_bytes;
    tally->sequence_entries += state->entries;
}

/* Decode a reply's header. Returns 0 with READER at the result, -EBADMSG, or minus an
 * rpc_outcome. */
static inline int check_header(struct wire_reader *reader)
{
    struct rpc_reply_header header;

    if (rpc_reply_decode(reader, &header) != 0)
        return -EBADMSG;
    return -(int)header.outcome;
}

/* Return 0 if no bytes are left in READER after a good result. Else return -EBADMSG if CALL is
 * strict; otherwise count the reply in TALLY (may be NULL) and return 0. */
static inline int check_end(const struct engine_call *call, const struct wire_reader *reader,
                            struct engine_tally *tally)
{
    if (wire_left(reader) == 0)
        return 0;
    if (call->strict)
        return -EBADMSG;
    if (tally)
        tally->trailing++;
    return 0;
}

int engine_check_reply(const struct engine_call *call, const uint8_t *bytes, size_t length,
                       struct engine_tally *tally)
{
    struct wire_reader reader = wire_reader(bytes, length);
    int status = check_header(&reader);

    if (status == 0)
        status = call->check(call->context, &reader);
    return status ? status : check_end(call, &reader, tally);
}

int engine_check_part(const struct engine_call *call, uint32_t tag, const uint8_t *bytes,
                      size_t length, struct engine_tally *tally)
{
    struct wire_reader reader = wire_reader(bytes, length);
    int status = check_header(&reader);

    if (status == 0)
        status = call->sequence->take(call->sequence_state, tag, &reader);
    return status ? status : check_end(call, &reader, tally);
}

int engine_refuse_garbage(size_t length, struct error *error)
{
    return error_set(error, ERROR_FAILED, -EBADMSG,
                     "the server's reply of %zu bytes can't be decoded "
                     "(RPC_CANTDECODERES): it does not follow RFC 5531 and RFC 1813",
                     length);
}

void engine_pause(const struct engine_call *call)
{
    uint64_t until;

    if (call->pause_ns == 0)
        return;
    until = clock_raw_ns() + call->pause_ns;
    while (clock_raw_ns() < until)
        ;
}

int engine_open_single(struct engine **engine, const struct engine_type *type,
                       const struct engine_config *config, struct error *error)
{
    int code = type->open(engine, config, error);

    if (code == 0)
        (*engine)->type = type;
    return code;
}

int engine_run(struct engine *engine, const struct engine_call *call, struct block *block,
               struct engine_tally *tally, struct error *error)
{
    block->recorded = 0;
    return engine->type->run(engine, call, block, tally, error);
}

size_t engine_sockets(const struct engine *engine, int *fds, size_t room)
{
    return engine && engine->type->sockets ? engine->type->sockets(engine, fds, room) : 0;
}

void engine_close(struct engine *engine)
{
    if (engine)
        engine->type->close(engine);
}
