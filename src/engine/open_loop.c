/* An open loop: calls are sent when they are due, and their latency counts from then. So a server
 * that stalls for a while is charged with every call that was due in that time, and not only with
 * the one that it was working on. */
#include <errno.h>
#include <math.h>
#include <sys/prctl.h>

#include "engine/pipeline.h"

enum {
    SPIN_NS = 60 * 1000, /* the last part of a wait, for which the kernel's timers are too coarse */
    IDLE_NS = 50 * 1000 * 1000,
    PAUSE_NS = 1000 * 1000, /* between blocks, in addition to the time that a reply takes */
};

/* A sender that is later than this ends the run: calls that are due wait in memory. */
#define LATEST_NS 60e9
/* One that is a second late, although no second passes without a reply (those of a busy server may
 * come many together), can't reach its rate if, while some hundred calls become due, it falls
 * behind by over a quarter of that time: the chance in Poisson arrivals of so many calls is 5 % of
 * that time (standard deviation). One that falls behind more slowly goes on. */
#define BEHIND_NS    1e9
#define BEHIND_TIME  2e9
#define BEHIND_CALLS 400
#define BEHIND_SHARE 0.25

static uint64_t ticks_of(const struct pipeline *pipeline, double ns)
{
    return (uint64_t)(ns / pipeline->config->clock->ns_per_tick);
}

static void draw_due(struct schedule *schedule)
{
    schedule->due = schedule->origin + (uint64_t)arrivals_next(&schedule->arrivals);
}

/* The threads divide the rate among them: each sends its part, and the arrivals of all together
 * have the distribution that was asked for. */
static void begin_schedule(struct pipeline *pipeline, uint64_t now)
{
    const struct load *load = &pipeline->config->load;
    struct schedule *schedule = &pipeline->schedule;
    double between = 1e9 / load->rate / pipeline->config->clock->ns_per_tick;

    prctl(PR_SET_TIMERSLACK, 1);
    schedule->begun = true;
    schedule->origin = now;
    if (load->arrival == ARRIVALS_COURSE)
        arrivals_begin_course(&schedule->arrivals, load->course, between * load->threads,
                              load->seed + pipeline->thread);
    else
        arrivals_begin(&schedule->arrivals, load->arrival, between * load->threads,
                       between * pipeline->thread, load->seed + pipeline->thread);
    draw_due(schedule);
}

/* The time between blocks does not count. What counts is the same for all threads: a thread that
 * had no more calls to send while others waited for their replies is as late as they are. */
static void resume_schedule(struct pipeline *pipeline, uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;
    uint64_t shift = now - pipeline->work->previous_end;

    schedule->origin += shift;
    schedule->due += shift;
    if (schedule->behind_from)
        schedule->behind_from += shift;
    schedule->ready = now;
}

/* All replies have arrived. The time that the last replies usually take does not count, either. But
 * when the reply to the latest call took longer, all of its time counts, and the next block's calls
 * are late, because a stall does not end with the block. (If an earlier reply took longer and the
 * latest call was answered, there was no stall.) */
static void end_block(struct pipeline *pipeline)
{
    struct schedule *schedule = &pipeline->schedule;
    uint64_t usual = ticks_of(pipeline, PAUSE_NS) + 2 * schedule->least_service;
    bool stalled = schedule->latest_at > schedule->all_taken_at + usual;

    work_lasts(pipeline->work,
               stalled ? schedule->latest_at - schedule->least_service : schedule->all_taken_at);
}

/* The next link, in turn, that has room for a call. NULL: none has. */
static struct link *find_link(struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->link_count; i++) {
        struct link *link = &pipeline->links[pipeline->schedule.turn++ % pipeline->link_count];

        if (link->connection.fd >= 0 && connection_has_room(&link->connection))
            return link;
    }
    return NULL;
}

/* Why the sender does not send more. */
enum sender {
    SENDER_AHEAD,   /* the next call is not due yet */
    SENDER_BLOCKED, /* the next call is due, but no connection has room for it */
    SENDER_DONE,    /* no call is left to take */
    SENDER_SENT,    /* nothing: it has just sent one */
};

/* Send the calls that were added. Several calls over one connection go out together. */
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
    pipeline_put(pipeline, link, number, schedule->due,
                 schedule->ready > schedule->due ? schedule->ready - schedule->due : 0);
    pipeline->in_flight++;
    schedule->sent++;
    draw_due(schedule);
}

/* Add the next call, if it is due. */
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
    link = find_link(pipeline);
    if (!link || schedule->unsent_count == SCHEDULE_UNSENT_MAXIMUM)
        return SENDER_BLOCKED;
    if (pipeline_take(pipeline, link, 1, &number) == 0)
        return SENDER_DONE;
    put_call(pipeline, link, number);
    return SENDER_SENT;
}

/* Send all calls that are due by now. Returns an enum sender, or a negative errno. */
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
        /* Sending may have made room for more. */
    } while (code == 0 && sender == SENDER_BLOCKED && sent);
    return code ? code : (int)sender;
}

static int end_behind(struct pipeline *pipeline, uint64_t now, const char *why)
{
    const struct schedule *schedule = &pipeline->schedule;
    double ns_per_tick = pipeline->config->clock->ns_per_tick;
    double seconds = (double)(now - schedule->origin) * ns_per_tick / 1e9;

    return error_set(pipeline->error, ERROR_FAILED, -ETIME,
                     "--rate %.0f %s: after %.1f s calls are sent %.1f s late, and %.0f a second "
                     "were; try less, or more --clients",
                     pipeline->config->load.rate, why, seconds,
                     (double)(now - schedule->due) * ns_per_tick / 1e9,
                     (double)schedule->sent / seconds * pipeline->config->load.threads);
}

/* How long a sender that falls behind is watched: a time in which enough calls are due. */
static double behind_time(const struct pipeline *pipeline)
{
    const struct load *load = &pipeline->config->load;

    return fmax(BEHIND_TIME, 1e9 * BEHIND_CALLS * load->threads / load->rate);
}

/* A server that stood still for a while is not a rate that can't be reached, however late the
 * sender is then: what counts is whether it falls behind further while calls are answered. */
static int check_behind(struct pipeline *pipeline, uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;
    const uint64_t late = now > schedule->due ? now - schedule->due : 0;
    const uint64_t second = ticks_of(pipeline, BEHIND_NS);

    if (late < second) {
        schedule->behind_from = 0;
        return 0;
    }
    if (late > ticks_of(pipeline, LATEST_NS))
        return end_behind(pipeline, now, "has over a minute of calls waiting");
    if (schedule->behind_from == 0 || late < schedule->behind_by ||
        now > schedule->answered_at + second) {
        schedule->behind_from = now;
        schedule->behind_by = late;
        return 0;
    }
    if (now - schedule->behind_from < ticks_of(pipeline, behind_time(pipeline)) ||
        (double)(late - schedule->behind_by) < BEHIND_SHARE * (double)(now - schedule->behind_from))
        return 0;
    return end_behind(pipeline, now, "can't be reached");
}

/* Check for replies once, without sleeping. */
static int poll_once(struct pipeline *pipeline)
{
    if (pipeline->in_flight == 0)
        return 0;
    return pipeline_is_simple(pipeline) ? pipeline_receive(pipeline, &pipeline->links[0], false)
                                        : pipeline_wait(pipeline, 0);
}

/* Wait for what SENDER waits for, or for a reply: asleep at first, then spinning. */
static int wait_for_turn(struct pipeline *pipeline, enum sender sender)
{
    const struct clock *clock = pipeline->config->clock;
    uint64_t now = clock->start(), due = pipeline->schedule.due;
    double ns = due > now ? (double)(due - now) * clock->ns_per_tick : 0;

    if (sender != SENDER_AHEAD) /* replies are all that there is to wait for */
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
    /* Where the connections take a whole block at once, the block's start is the time to check. */
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
