/* An open loop: calls are sent when they are due, and what they take is counted from then on. So a
 * server that stands still for a while is charged with every call that fell into that time, and not
 * just with the one that it was working on. */
#include <errno.h>
#include <sys/prctl.h>

#include "engine/pipeline.h"

enum {
    SPIN_NS = 60 * 1000, /* the last part of a wait, which the kernel's timers are too coarse for */
    IDLE_NS = 50 * 1000 * 1000,
    PAUSE_NS = 1000 * 1000, /* between blocks, beside what a reply needs to come */
    BEHIND_NS = 1000 * 1000 * 1000,
};

static uint64_t ticks_of(const struct pipeline *pipeline, uint64_t ns)
{
    return (uint64_t)((double)ns / pipeline->config->clock->ns_per_tick);
}

static void draw_due(struct schedule *schedule)
{
    schedule->due = schedule->origin + (uint64_t)arrivals_next(&schedule->arrivals);
}

/* Threads share the rate: each sends its part of it, and together they keep the kind of arrival. */
static void begin_schedule(struct pipeline *pipeline, uint64_t now)
{
    const struct load *load = &pipeline->config->load;
    struct schedule *schedule = &pipeline->schedule;
    double between = 1e9 / load->rate / pipeline->config->clock->ns_per_tick;

    prctl(PR_SET_TIMERSLACK, 1);
    schedule->begun = true;
    schedule->origin = now;
    arrivals_begin(&schedule->arrivals, load->arrival, between * load->threads,
                   between * pipeline->thread, load->seed + pipeline->thread);
    draw_due(schedule);
}

/* The time between blocks does not count. What counts is the same for all threads: one that had no
 * more calls to send while others waited for their replies is as late as they are. */
static void resume_schedule(struct pipeline *pipeline, uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;
    uint64_t shift = now - pipeline->work->previous_end;

    schedule->origin += shift;
    schedule->due += shift;
    schedule->ready = now;
}

/* All replies are there. What the last ones usually need does not count, either. But when the reply
 * to the latest call took longer the next block's calls are late: a standstill doesn't end with the
 * block. (When that to an earlier one did, and the latest was answered, there was none.) */
static void end_block(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;
    uint64_t usual = ticks_of(pipeline, PAUSE_NS) + 2 * schedule->least_service;
    uint64_t ended = schedule->all_taken_at + usual;
    uint64_t standstill = schedule->latest_at > ended ? schedule->latest_at - ended : 0;

    work_lasts(pipeline->work, schedule->all_taken_at + standstill);
}

/* The next link, in turn, that takes a call with a message of LENGTH bytes. NULL: none does. */
static struct link *find_link(struct pipeline *pipeline, size_t length)
{
    for (size_t i = 0; i < pipeline->link_count; i++) {
        struct link *link = &pipeline->links[pipeline->schedule.turn++ % pipeline->link_count];

        if (link->connection.fd >= 0 && connection_has_room(&link->connection, length))
            return link;
    }
    return NULL;
}

/* What keeps the sender from sending more. */
enum sender {
    SENDER_AHEAD,   /* the next call is not due yet */
    SENDER_BLOCKED, /* it is, but no connection takes one more */
    SENDER_DONE,    /* no call is left to take */
    SENDER_SENT,    /* nothing */
};

/* Send what was put in: several calls over one connection go out together. */
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

static void put_call(struct pipeline *pipeline, struct link *link, size_t number)
{
    struct schedule *schedule = &pipeline->schedule;

    if (link->connection.fresh_count == 0)
        schedule->unsent[schedule->unsent_count++] = link;
    connection_put(&link->connection, pipeline_message(pipeline, number), number, schedule->due,
                   schedule->ready > schedule->due ? schedule->ready - schedule->due : 0);
    pipeline->in_flight++;
    schedule->sent++;
    draw_due(schedule);
}

/* Put the next call in, if it is due. */
static enum sender put_next(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;
    struct engine_work *work = pipeline->work;
    size_t number = atomic_load_explicit(&work->next, memory_order_relaxed);
    struct link *link;

    if (work_is_all_taken(work))
        return SENDER_DONE;
    if (schedule->due > pipeline->config->clock->start())
        return SENDER_AHEAD;
    link = find_link(pipeline, pipeline_message(pipeline, number)->length);
    if (!link || schedule->unsent_count == SCHEDULE_UNSENT_MAXIMUM)
        return SENDER_BLOCKED;
    if (work_take(work, 1, &number) == 0)
        return SENDER_DONE;
    put_call(pipeline, link, number);
    return SENDER_SENT;
}

/* Send all calls that are due by now. An enum sender, or a negative errno. */
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
        /* What was sent may have made room for more. */
    } while (code == 0 && sender == SENDER_BLOCKED && sent);
    return code ? code : (int)sender;
}

/* A sender that has fallen far behind never catches up: better known now. */
static int check_behind(struct pipeline *pipeline, uint64_t now)
{
    const struct schedule *schedule = &pipeline->schedule;
    double ns_per_tick = pipeline->config->clock->ns_per_tick, seconds;

    if (now < schedule->due || now - schedule->due < ticks_of(pipeline, BEHIND_NS))
        return 0;
    seconds = (double)(now - schedule->origin) * ns_per_tick / 1e9;
    return error_set(pipeline->error, ERROR_FAILED, -ETIME,
                     "--rate %.0f can't be reached: after %.1f s calls are sent %.1f s late, "
                     "and %.0f a second were; try less, or more --clients",
                     pipeline->config->load.rate, seconds,
                     (double)(now - schedule->due) * ns_per_tick / 1e9,
                     (double)schedule->sent / seconds * pipeline->config->load.threads);
}

/* Look for replies once, without sleeping. */
static int poll_once(struct pipeline *pipeline)
{
    if (pipeline->in_flight == 0)
        return 0;
    return pipeline_is_simple(pipeline) ? pipeline_receive(pipeline, &pipeline->links[0], false)
                                        : pipeline_wait(pipeline, 0);
}

/* Wait for what SENDER waits for, or a reply: asleep at first, then awake. */
static int wait_for_turn(struct pipeline *pipeline, enum sender sender)
{
    const struct clock *clock = pipeline->config->clock;
    uint64_t now = clock->start(), due = pipeline->schedule.due;
    double ns = due > now ? (double)(due - now) * clock->ns_per_tick : 0;

    if (sender != SENDER_AHEAD) /* replies are all there is to wait for */
        ns = IDLE_NS;
    if (!pipeline->config->channel.spin && ns > SPIN_NS)
        return pipeline_wait(pipeline, (uint64_t)ns - SPIN_NS);
    return poll_once(pipeline);
}

static int run_schedule(struct pipeline *pipeline)
{
    const struct clock *clock = pipeline->config->clock;
    struct schedule *schedule = &pipeline->schedule;
    int code = 0;

    schedule->all_taken_at = 0;
    /* Where the connections take a whole block at once, its beginning is the time to look. */
    code = check_behind(pipeline, clock->start());
    while (code == 0) {
        int sender = send_all_due(pipeline);

        if (sender < 0)
            return sender;
        if (sender == SENDER_DONE && schedule->all_taken_at == 0)
            schedule->all_taken_at = clock->start();
        if (sender == SENDER_DONE && pipeline->in_flight == 0)
            break;
        if (sender != SENDER_DONE)
            code = check_behind(pipeline, clock->start());
        if (code == 0)
            code = wait_for_turn(pipeline, (enum sender)sender);
        if (sender == SENDER_BLOCKED)
            schedule->ready = clock->start();
        if (code == 0)
            code = pipeline_look_around(pipeline);
    }
    return code;
}

int open_loop_run(struct pipeline *pipeline)
{
    const struct clock *clock = pipeline->config->clock;
    int code;

    if (pipeline->schedule.begun)
        resume_schedule(pipeline, clock->start());
    else
        begin_schedule(pipeline, clock->start());
    code = run_schedule(pipeline);
    if (code == 0)
        end_block(pipeline);
    return code;
}
