/* The closed loop of engine wire under load. Each connection keeps as many calls in flight as the
 * load requests, or pauses between calls for the think times of a user. Ops of several calls
 * have a load of only one connection, which makes one op at a time, with all ready calls of this op
 * in flight up to the depth. */
#include <errno.h>
#include <sys/prctl.h>

#include "engine/wire/pipeline.h"

enum { RESTORE_MS = 5 }; /* longest sleep while a connection is lost */

static void put_reserved(struct pipeline *pipeline, struct link *link)
{
    while (link->reserved > 0 && connection_has_room(&link->connection)) {
        pipeline_put(pipeline, link, link->number);
        link->number++;
        link->reserved--;
    }
}

/* Let LINK's calls wait for room in the server's window of GSS sequence numbers. A reply on any
 * link with the same security context makes room. */
static void hold_for_window(struct pipeline *pipeline, struct link *link)
{
    pipeline->held = true;
    /* don't wait for a batch of replies, because fewer may be outstanding */
    connection_set_low_water(&link->connection, 1);
}

/* Return the think times of LINK's user; NULL if the load has none, or if the block has only one
 * call (a trial). */
static const struct think *think_of(const struct pipeline *pipeline, const struct link *link)
{
    const struct load *load = &pipeline->config->load;

    return load->think && pipeline->work->count > 1 ? &load->think[link->client % load->thinks]
                                                    : NULL;
}

/* Return whether LINK's user has no call in flight and the user's think time is over. Draw the
 * think time if none was drawn yet. */
static bool has_thought(struct pipeline *pipeline, struct link *link, const struct think *think,
                        uint64_t now)
{
    const struct engine_config *config = pipeline->config;

    if (link->connection.free_count < config->load.depth)
        return false;
    if (link->thinks_until == 0)
        link->thinks_until =
            now + (uint64_t)(think_draw_ns(think, &pipeline->random) / config->clock->ns_per_tick);
    return link->thinks_until <= now;
}

static size_t count_wanted(struct pipeline *pipeline, struct link *link, uint64_t now)
{
    const struct think *think = think_of(pipeline, link);
    size_t room = link->connection.free_count, unused;

    if (!think)
        return room;
    unused = pipeline->config->load.depth - think->depth;
    room = room > unused ? room - unused : 0;
    if (link->calls_left == 0 && has_thought(pipeline, link, think, now)) {
        link->calls_left = think_draw_calls(think, &pipeline->random);
        link->thinks_until = 0;
    }
    return room < link->calls_left ? room : link->calls_left;
}

static void add_parts(struct pipeline *pipeline, struct link *link)
{
    struct pipeline_op *op = &pipeline->op;
    const struct channel_message *message;
    uint32_t tag;

    while (op->status == 0 && connection_has_room(&link->connection) &&
           (message = op->call->sequence->next(op->call->sequence_state, &tag))) {
        if (pipeline->in_flight == 0)
            op->busy_from = pipeline->config->clock->start();
        pipeline_add_in_flight(pipeline, 1, op->busy_from);
        sequence_count_call(&op->made, message->length);
        connection_put(&link->connection, message, NULL, tag, NULL);
    }
}

static int refill_link(struct pipeline *pipeline, struct link *link, uint64_t now)
{
    int code = 0;

    if (pipeline->op.call) {
        add_parts(pipeline, link);
        return pipeline_send(pipeline, link);
    }
    if (link->reserved == 0) {
        size_t wanted = count_wanted(pipeline, link, now);

        link->reserved = wanted ? pipeline_take(pipeline, link, wanted, &link->number) : 0;
        link->calls_left -= pipeline->config->load.think ? link->reserved : 0;
        pipeline_add_in_flight(pipeline, link->reserved, now);
        if (link->reserved < wanted) {
            if (!pipeline->config->load.think)
                work_ends(pipeline->work, now);
            /* Don't wait for a batch of replies, because fewer may be outstanding. */
            connection_set_low_water(&link->connection, 1);
        }
    }
    do {
        put_reserved(pipeline, link);
        code = pipeline_send(pipeline, link);
    } while (code == 0 && link->reserved > 0 && !link->waits_to_send && link->connection.fd >= 0 &&
             connection_has_number(&link->connection));
    if (link->reserved > 0 && !connection_has_number(&link->connection))
        hold_for_window(pipeline, link);
    return code;
}

/* Waiting */

/* Make calls on links whose think time is over. Returns 0 or a negative errno. Sets *NEXT to the
 * time, in ticks, at which the next think time ends, or to 0 if no user thinks. */
static int resume_thought(struct pipeline *pipeline, uint64_t now, uint64_t *next)
{
    int code = 0;

    *next = 0;
    for (size_t i = 0; i < pipeline->link_count && code == 0; i++) {
        struct link *link = &pipeline->links[i];

        if (link->thinks_until && link->thinks_until <= now && link->connection.fd >= 0)
            code = refill_link(pipeline, link, now);
        if (link->thinks_until > now && (*next == 0 || link->thinks_until < *next))
            *next = link->thinks_until;
    }
    return code;
}

static uint64_t longest_sleep_ns(const struct pipeline *pipeline)
{
    return (pipeline->lost > 0 ? RESTORE_MS : PIPELINE_LOOK_AROUND_MS) * UINT64_C(1000000);
}

static int wait_thinking(struct pipeline *pipeline)
{
    const struct clock *clock = pipeline->config->clock;
    uint64_t now = clock->stop(), next, timeout = longest_sleep_ns(pipeline);
    int code = resume_thought(pipeline, now, &next);

    if (next && (double)(next - now) * clock->ns_per_tick < (double)timeout)
        timeout = (uint64_t)((double)(next - now) * clock->ns_per_tick);
    work_cut_if_late(pipeline->work); /* a cut ends all think times, too */
    if (pipeline->in_flight == 0 && work_is_all_taken(pipeline->work))
        return code;
    return code ? code : pipeline_wait(pipeline, timeout);
}

static int wait_closed(struct pipeline *pipeline)
{
    bool spin = pipeline->config->channel.spin;

    if (pipeline->config->load.think)
        return wait_thinking(pipeline);
    if (pipeline_is_simple(pipeline))
        return pipeline_receive(pipeline, &pipeline->links[0], !spin);
    return pipeline_wait(pipeline, spin ? 0 : longest_sleep_ns(pipeline));
}

static int wait_for_any(struct pipeline *pipeline)
{
    int code = wait_closed(pipeline);

    return code ? code : pipeline_look_around(pipeline);
}

int closed_loop_run(struct pipeline *pipeline)
{
    static const struct pipeline_loop loop = {.resume = refill_link};
    uint64_t now = pipeline->config->clock->start();
    int code = 0;

    pipeline->loop = &loop;
    if (pipeline->config->load.think)
        prctl(PR_SET_TIMERSLACK, 1);
    for (size_t i = 0; i < pipeline->link_count && code == 0; i++)
        if (pipeline->links[i].connection.fd >= 0)
            code = refill_link(pipeline, &pipeline->links[i], now);
    while (code == 0 && (pipeline->in_flight > 0 || !work_is_all_taken(pipeline->work)))
        code = wait_for_any(pipeline);
    /* With think times, the steady phase ends when the first thread has its last reply. */
    if (pipeline->config->load.think)
        work_ends(pipeline->work, pipeline->config->clock->stop());
    return code;
}

static int take_part(struct pipeline *pipeline, const struct connection_reply *reply)
{
    struct pipeline_op *op = &pipeline->op;
    int status = engine_check_part(op->call, (uint32_t)reply->call.number, reply->message.bytes,
                                   reply->message.length, pipeline->tally);

    if (reply->call.resent > 0)
        silences_note_resent(&pipeline->silences, &pipeline->tally->gaps, reply->call.submitted);
    if (status == -EBADMSG)
        return engine_refuse_garbage(reply->message.length, pipeline->error);
    op->made.reply_bytes += reply->message.length;
    op->made.first_try &= reply->call.resent == 0;
    if (status)
        op->status = status;
    return 0;
}

static int take_parts(struct pipeline *pipeline, uint64_t now)
{
    int code = 0;

    if (pipeline->reply_count > 0 && pipeline->in_flight == 0)
        pipeline->op.made.ticks += now - pipeline->op.busy_from;
    for (size_t i = 0; i < pipeline->reply_count && code == 0; i++)
        code = take_part(pipeline, &pipeline->replies[i]);
    return code;
}

static void finish_op(struct pipeline *pipeline, const struct sample_of *of)
{
    struct pipeline_op *op = &pipeline->op;

    if (op->status) {
        engine_count_error(pipeline->tally, op->status);
        return;
    }
    sequence_count_op(op->call, &op->made, pipeline->tally);
    pipeline->tally->steady_calls++;
    if (op->made.first_try)
        samples_add(pipeline->samples, *of, op->made.ticks, pipeline->config->clock->stop());
}

int closed_loop_run_sequences(struct pipeline *pipeline)
{
    static const struct pipeline_loop loop = {.resume = refill_link, .take_parts = take_parts};
    struct link *link = &pipeline->links[0];
    size_t number;
    int code = 0;

    pipeline->loop = &loop;
    while (code == 0 && work_take(pipeline->work, 1, &number) == 1) {
        const struct engine_call *call = pipeline->work->call;

        pipeline->op = (struct pipeline_op){.call = call, .made.first_try = true};
        call->sequence->begin(call->sequence_state, call->first + number);
        add_parts(pipeline, link);
        code = pipeline_send(pipeline, link);
        while (code == 0 && pipeline->in_flight > 0)
            code = wait_for_any(pipeline);
        if (code == 0)
            finish_op(pipeline, &(struct sample_of){link->client, (uint32_t)number});
    }
    work_ends(pipeline->work, pipeline->config->clock->stop());
    return code;
}
