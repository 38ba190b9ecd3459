/* The open loop: calls are sent when they are due if a connection has room, even if earlier calls
 * are not answered, and a call's latency counts from its due time. So the stall of a server affects
 * every call that was due meanwhile, not only the calls in flight. */
#include <errno.h>
#include <math.h>
#include <sys/prctl.h>
#include <time.h>

#include "common/system_clock.h"
#include "engine/wire/pipeline.h"

enum {
    SPIN_NS = 60 * 1000, /* a wait ends with spinning this long, as timers are coarse */
    /* The kernel may end a wait late by 0.1 % of its timeout (fs/select.c,
       select_estimate_accuracy()), so waits are shortened by more than that. */
    SLACK_DIVISOR = 256,
    IDLE_NS = 50 * 1000 * 1000,
    STARVED_NS = 1000 * 1000, /* interval of checks for the next block if none was submitted */
    /* The reply to a segment's last call shows a stall if it comes later than this plus twice the
       shortest service time after the worker had no call left to send. */
    PAUSE_NS = 1000 * 1000,
};

/* Limit for the sender's delay and for the time without a reply: the run ends after LATEST_NS ns,
 * or after six times --timeout if that is longer. */
#define LATEST_NS 60e9
/* The run also ends if the requested rate can't be reached: the sender is more than BEHIND_NS late,
 * replies keep coming, and the delay has grown by BEHIND_SHARE of the watched time or more. The
 * watched time is BEHIND_TIME ns, or the time in which BEHIND_CALLS calls of a thread are due if
 * that is longer. Shorter times vary too much: replies may come many at a time, and the time of 400
 * Poisson arrivals varies by 5 % (standard deviation). */
#define BEHIND_NS    1e9
#define BEHIND_TIME  2e9
#define BEHIND_CALLS 400
#define BEHIND_SHARE 0.25

static uint64_t ticks_of(const struct pipeline *pipeline, double ns)
{
    return (uint64_t)(ns / pipeline->config->clock->ns_per_tick);
}

/* The schedule */

/* Draw the due time of this worker's next call. All workers and processes draw the same arrivals
 * and skip those that are not theirs. */
static void draw_due(struct pipeline *pipeline)
{
    const struct load *load = &pipeline->config->load;
    struct schedule *schedule = &pipeline->schedule;
    double at = 0;

    for (unsigned i = 0; i < load->threads * load_processes(load); i++)
        at = arrivals_next(&schedule->arrivals);
    schedule->number += load->threads;
    schedule->due = schedule->origin + (uint64_t)at;
}

static void begin_schedule(struct pipeline *pipeline)
{
    const struct load *load = &pipeline->config->load;
    struct schedule *schedule = &pipeline->schedule;
    const unsigned processes = load_processes(load);
    double at = 0;

    prctl(PR_SET_TIMERSLACK, 1);
    schedule->begun = true;
    schedule->origin = pipeline->work->queue->begins;
    load_begin_schedule(load, pipeline->config->clock->ns_per_tick, &schedule->arrivals);
    for (unsigned i = 0; i <= pipeline->thread * processes + load->rank; i++)
        at = arrivals_next(&schedule->arrivals);
    schedule->number = pipeline->thread;
    schedule->due = schedule->origin + (uint64_t)at;
}

/* Shift the schedule by the pause between segments, so that the pause adds to no call's latency.
 * All threads shift by the same time, even those that had finished sending early. */
static void resume_schedule(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;
    const struct block_queue *queue = pipeline->work->queue;
    const uint64_t shift = queue->begins - queue->previous_end;

    schedule->origin += shift;
    schedule->due += shift;
    if (schedule->behind_from)
        schedule->behind_from += shift;
    schedule->ready = queue->begins;
}

/* End the segment's schedule once the segment is over. Usually, the wait for the last replies
 * delays no call of the next segment. But if the reply to the call that was due last took unusually
 * long, the server may have stalled. The wait then counts: the next calls are late. */
static void end_schedule(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;
    uint64_t usual = ticks_of(pipeline, PAUSE_NS) + 2 * schedule->least_service;
    bool stalled = schedule->latest_at > schedule->all_taken_at + usual;

    work_lasts(pipeline->work,
               stalled ? schedule->latest_at - schedule->least_service : schedule->all_taken_at);
}

/* Blocks */

static void enter_block(struct pipeline *pipeline, struct queued_block *block)
{
    pipeline->schedule.block = block;
    pipeline->schedule.cpu_ns = system_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    pipeline->tally = block ? &pipeline_part(pipeline, block)->tally : NULL;
}

static void leave_block(struct pipeline *pipeline)
{
    struct queued_block *block = pipeline->schedule.block;

    pipeline_add_counts(pipeline);
    pipeline_part(pipeline, block)->cpu_ns +=
        system_clock_ns(CLOCK_THREAD_CPUTIME_ID) - pipeline->schedule.cpu_ns;
    block_queue_finish_one(pipeline->work->queue, block);
}

static bool is_before(const struct queued_block *block, uint64_t number)
{
    return number >= block->first + block->count;
}

/* Enter the block of the worker's next call, and leave earlier blocks. Returns true, or false if
 * that block was not found: *ENDED is true if no block will follow, or false if the block is not
 * submitted yet. */
static bool find_block(struct pipeline *pipeline, bool *ended)
{
    struct schedule *schedule = &pipeline->schedule;

    while (is_before(schedule->block, schedule->number)) {
        struct queued_block *next;

        *ended = atomic_load(&pipeline->work->queue->ended);
        next = atomic_load(&schedule->block->next);
        if (!next)
            return false;
        leave_block(pipeline);
        enter_block(pipeline, next);
    }
    return true;
}

static void begin_segment(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;

    if (schedule->begun)
        resume_schedule(pipeline);
    else
        begin_schedule(pipeline);
    schedule->all_taken_at = schedule->drained_by = 0;
    schedule->area_at = pipeline->config->clock->start();
    enter_block(pipeline, pipeline->work->queue->first);
    while (schedule->number <
           schedule->block->first) /* skip calls that the last segment did not send */
        draw_due(pipeline);
}

/* Return the due time of the segment's last call, of any worker. If this worker has no call left in
 * the segment, return the due time of its next call. All blocks must have been submitted. */
static uint64_t find_end(const struct pipeline *pipeline)
{
    const struct schedule *schedule = &pipeline->schedule;
    const uint64_t end = pipeline->work->queue->next_number;
    const unsigned processes = load_processes(&pipeline->config->load);
    struct arrivals ahead = schedule->arrivals;
    uint64_t due = schedule->due;

    for (uint64_t number = schedule->number + 1; number < end; number++)
        for (unsigned i = 0; i < processes; i++)
            due = schedule->origin + (uint64_t)arrivals_next(&ahead);
    return due;
}

/* Sending */

/* Return why LINK can't take a call; LOAD_HOLDS: it can. */
static enum load_hold hold_of(const struct link *link)
{
    const struct connection *connection = &link->connection;

    if (connection->fd < 0)
        return HOLD_CONNECTION;
    if (!transmit_buffer_has_room(&connection->transmit_buffer))
        return HOLD_SOCKET;
    if (connection->free_count == 0)
        return HOLD_DEPTH;
    return connection_has_number(connection) ? LOAD_HOLDS : HOLD_WINDOW;
}

/* Return the next link in turn that has room for a call; NULL: there is none. If links without
 * room were tried, set the schedule's HOLD to why the last of these has no room. */
static struct link *find_link(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;

    for (size_t i = 0; i < pipeline->link_count; i++) {
        struct link *link = &pipeline->links[schedule->turn++ % pipeline->link_count];
        enum load_hold hold = hold_of(link);

        if (hold == LOAD_HOLDS)
            return link;
        schedule->hold = hold;
    }
    return NULL;
}

/* Why the sender does not send more calls. */
enum sender {
    SENDER_AHEAD,   /* next call is not due yet */
    SENDER_BLOCKED, /* next call is due, but no connection has room, or UNSENT is full */
    SENDER_STARVED, /* next call is due, but its block is not submitted yet */
    SENDER_DONE,    /* no call is left */
    SENDER_SENT,    /* the sender has just sent a call and continues */
};

static int send_unsent(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;
    int code = 0;

    for (size_t i = 0; i < schedule->unsent_count && code == 0; i++)
        if (schedule->unsent[i]->connection.fd >= 0)
            code = pipeline_send(pipeline, schedule->unsent[i]);
    schedule->unsent_count = 0;
    return code;
}

static void add_to_link(struct link *link, size_t number, const struct scheduled_call *scheduled)
{
    const struct queued_block *block = scheduled->block;
    const struct engine_place *place = block->is_placed ? &block->places[number] : NULL;
    struct engine_step step;

    if (place) {
        connection_put(&link->connection, &block->call->messages[place->message], place, number,
                       scheduled);
        return;
    }
    step = block_queue_step(block, number);
    connection_put(&link->connection, engine_message(step.call, step.variant),
                   engine_place(step.call, step.variant), number, scheduled);
}

static void put_call(struct pipeline *pipeline, struct link *link, uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;
    struct queued_block *block = schedule->block;
    struct queued_part *part = pipeline_part(pipeline, block);
    const size_t number = schedule->number - block->first;
    const uint64_t held = schedule->ready > schedule->due ? schedule->ready - schedule->due : 0;

    if (block->call->choose)
        block->call->choose(block->call->chooser, link->client, number, 1);
    if (link->connection.fresh_count == 0)
        schedule->unsent[schedule->unsent_count++] = link;
    open_loop_add_area(pipeline, now);
    add_to_link(link, number, &(struct scheduled_call){block, schedule->due, held, schedule->area});
    part->began = part->began ? part->began : schedule->due;
    part->tally.held_ticks[schedule->hold] += held;
    pipeline_add_in_flight(pipeline, 1, now);
    schedule->sent++;
    draw_due(pipeline);
    atomic_store_explicit(&pipeline->work->queue->sent[pipeline->thread], schedule->number,
                          memory_order_relaxed);
}

static enum sender put_next(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;
    const uint64_t now = pipeline->config->clock->start();
    struct link *link;
    bool ended = false;

    if (!find_block(pipeline, &ended))
        return ended ? SENDER_DONE : schedule->due > now ? SENDER_AHEAD : SENDER_STARVED;
    if (schedule->due > now)
        return SENDER_AHEAD;
    link = find_link(pipeline);
    if (!link || schedule->unsent_count == SCHEDULE_UNSENT_MAXIMUM)
        return SENDER_BLOCKED;
    put_call(pipeline, link, now);
    return SENDER_SENT;
}

/* Send all calls that are due now. Returns an enum sender or a negative errno. */
static int send_all_due(struct pipeline *pipeline)
{
    enum sender sender;
    bool sent;
    int code;

    do {
        do
            sender = put_next(pipeline);
        while (sender == SENDER_SENT);
        sent = pipeline->schedule.unsent_count > 0;
        code = send_unsent(pipeline);
        /* send_unsent() may have made room for the next call. */
    } while (code == 0 && sender == SENDER_BLOCKED && sent);
    return code ? code : (int)sender;
}

static int end_behind(struct pipeline *pipeline, uint64_t now, const char *why)
{
    const struct schedule *schedule = &pipeline->schedule;
    double ns_per_tick = pipeline->config->clock->ns_per_tick;
    double seconds = (double)(now - schedule->origin) * ns_per_tick / 1e9;
    const bool is_free = schedule->ready <= schedule->due && find_link(pipeline);
    const enum load_hold held = is_free ? LOAD_HOLDS : schedule->hold;

    return error_set(pipeline->error, ERROR_FAILED, -ETIME,
                     "--rate %.0f %s: after %.1f s calls are sent %.1f s late, at %.0f per second, "
                     "because %s; lower --rate%s",
                     pipeline->config->load.rate, why, seconds,
                     (double)(now - schedule->due) * ns_per_tick / 1e9,
                     (double)schedule->sent / seconds * pipeline->config->load.threads,
                     held < LOAD_HOLDS ? load_hold_texts[held] : "the sender was late",
                     held == HOLD_DEPTH ? ", or raise --depth" : ", or raise --clients");
}

/* Return how long to watch a sender that falls behind, in ns: BEHIND_TIME, or the time in which
 * BEHIND_CALLS calls of one thread are due if that is longer. */
static double behind_time(const struct pipeline *pipeline)
{
    const struct load *load = &pipeline->config->load;

    return fmax(BEHIND_TIME, 1e9 * BEHIND_CALLS * load->threads / load->rate);
}

/* Return the limit for the sender's delay and for the time without a reply, in ns. */
static double latest_ns(const struct pipeline *pipeline)
{
    return fmax(LATEST_NS, 6.0 * (double)pipeline->config->channel.timeout_ns);
}

static int check_silence(struct pipeline *pipeline, uint64_t now)
{
    const uint64_t longest = ticks_of(pipeline, latest_ns(pipeline));

    if (pipeline->in_flight == 0 || now < pipeline->silences.answered_at + longest)
        return 0;
    return connection_describe(&pipeline->links[0].connection, -ETIMEDOUT, pipeline->error);
}

/* Return -ETIME if the rate can't be reached, or the delay exceeds latest_ns(). Only a delay that
 * grows while replies come shows that the rate can't be reached, not a delay after a stall. */
static int check_behind(struct pipeline *pipeline, uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;
    const uint64_t late = now > schedule->due ? now - schedule->due : 0;
    const uint64_t second = ticks_of(pipeline, BEHIND_NS);

    if (late < second) {
        schedule->behind_from = 0;
        return 0;
    }
    if (late > ticks_of(pipeline, latest_ns(pipeline)))
        return end_behind(pipeline, now, "leaves over a minute of calls unsent");
    if (schedule->behind_from == 0 || late < schedule->behind_by ||
        now > pipeline->silences.answered_at + second) {
        schedule->behind_from = now;
        schedule->behind_by = late;
        return 0;
    }
    if (now - schedule->behind_from < ticks_of(pipeline, behind_time(pipeline)) ||
        (double)(late - schedule->behind_by) < BEHIND_SHARE * (double)(now - schedule->behind_from))
        return 0;
    return end_behind(pipeline, now, "can't be reached");
}

static int poll_once(struct pipeline *pipeline)
{
    if (pipeline->in_flight == 0)
        return 0;
    return pipeline_is_simple(pipeline) ? pipeline_receive(pipeline, &pipeline->links[0], false)
                                        : pipeline_wait(pipeline, 0);
}

/* Return how long the worker may wait, ns, if it sends no call because of SENDER; <= 0: no wait. */
static double wait_ns(const struct pipeline *pipeline, enum sender sender)
{
    const uint64_t now = pipeline->config->clock->start(), due = pipeline->schedule.due;
    double ns;

    if (sender == SENDER_STARVED)
        return STARVED_NS;
    if (sender != SENDER_AHEAD) /* a reply or room in a socket ends the wait */
        return IDLE_NS;
    ns = due > now ? (double)(due - now) * pipeline->config->clock->ns_per_tick : 0;
    return fmin(IDLE_NS, ns - SPIN_NS - ns / SLACK_DIVISOR);
}

static int wait_for_turn(struct pipeline *pipeline, enum sender sender)
{
    const double ns = wait_ns(pipeline, sender);

    if (!pipeline->config->channel.spin && ns > 0)
        return pipeline_wait(pipeline, (uint64_t)ns);
    return poll_once(pipeline);
}

static void give_up_unsent(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;
    bool ended;

    while (find_block(pipeline, &ended)) {
        pipeline->tally->unsent++;
        block_queue_finish_one(pipeline->work->queue, schedule->block);
        draw_due(pipeline);
    }
}

static void give_up_unanswered(struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->link_count; i++)
        for (unsigned j = 0; j < pipeline->links[i].connection.depth; j++) {
            const struct call_slot *slot = &pipeline->links[i].connection.slots[j];

            if (!slot->busy)
                continue;
            pipeline_part(pipeline, slot->scheduled->block)->tally.unanswered++;
            block_queue_finish_one(pipeline->work->queue, slot->scheduled->block);
        }
}

/* Return whether the segment's last call was due longer ago than the timeout. */
static bool is_drain_over(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;

    if (!atomic_load(&pipeline->work->queue->ended))
        return false;
    if (schedule->drained_by == 0)
        schedule->drained_by =
            find_end(pipeline) + ticks_of(pipeline, (double)pipeline->config->channel.timeout_ns);
    return pipeline->config->clock->start() > schedule->drained_by;
}

static int wait_and_check(struct pipeline *pipeline, enum sender sender)
{
    const struct clock *clock = pipeline->config->clock;
    struct schedule *schedule = &pipeline->schedule;
    int code = 0;

    if (sender == SENDER_DONE && schedule->all_taken_at == 0)
        schedule->all_taken_at = clock->start();
    code = check_silence(pipeline, clock->start());
    if (code == 0 && sender != SENDER_DONE)
        code = check_behind(pipeline, clock->start());
    if (code == 0)
        code = wait_for_turn(pipeline, sender);
    if (sender == SENDER_BLOCKED)
        schedule->ready = clock->start();
    return code ? code : pipeline_look_around(pipeline);
}

static int run_segment(struct pipeline *pipeline)
{
    int code = 0;

    while (code == 0) {
        int sender = send_all_due(pipeline);

        if (sender < 0)
            return sender;
        if (sender == SENDER_DONE && pipeline->in_flight == 0)
            break;
        if (is_drain_over(pipeline)) {
            give_up_unsent(pipeline);
            give_up_unanswered(pipeline);
            break;
        }
        if (sender == SENDER_STARVED)
            block_queue_ask_for_more(pipeline->work->queue);
        code = wait_and_check(pipeline, (enum sender)sender);
    }
    return code;
}

/* Retransmit LINK's lost calls, and send calls that its socket did not take before. Add no new
 * calls: send_all_due() does this when they are due. */
static int resume_sending(struct pipeline *pipeline, struct link *link, uint64_t now)
{
    return pipeline_send(pipeline, link);
}

int open_loop_run(struct pipeline *pipeline)
{
    static const struct pipeline_loop loop = {.resume = resume_sending};
    struct schedule *schedule = &pipeline->schedule;
    struct engine_tally *own = pipeline->tally; /* tally of the events that belong to no block */
    int code;

    pipeline->loop = &loop;
    begin_segment(pipeline);
    code = run_segment(pipeline);
    if (schedule->all_taken_at == 0)
        schedule->all_taken_at = pipeline->config->clock->start();
    end_schedule(pipeline);
    leave_block(pipeline);
    pipeline->tally = own;
    return code;
}
