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

/* The time between blocks does not count, nor does what the last replies of a block usually need.
 * But when they took longer the next calls are late: a standstill doesn't end with the block. */
static void resume_schedule(struct pipeline *pipeline, uint64_t now)
{
    struct schedule *schedule = &pipeline->schedule;
    uint64_t usual = ticks_of(pipeline, PAUSE_NS) + 2 * schedule->least_service;
    uint64_t taken = schedule->ended_at - schedule->all_taken_at;
    uint64_t shift = now - schedule->ended_at + (taken < usual ? taken : usual);

    schedule->origin += shift;
    schedule->due += shift;
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

/* One call that is due. 1; 0 where it has to wait, or none is left to take (ALL_TAKEN). */
static int send_due(struct pipeline *pipeline, bool *all_taken)
{
    struct schedule *schedule = &pipeline->schedule;
    const struct channel_message *message = pipeline_message(
        pipeline, atomic_load_explicit(&pipeline->work->next, memory_order_relaxed));
    struct link *link = find_link(pipeline, message->length);
    size_t number;
    int code;

    if (!link)
        return 0;
    if (work_take(pipeline->work, 1, &number) == 0) {
        *all_taken = true;
        return 0;
    }
    connection_put(&link->connection, pipeline_message(pipeline, number), number, schedule->due);
    pipeline->in_flight++;
    schedule->sent++;
    draw_due(schedule);
    code = pipeline_send(pipeline, link);
    return code ? code : 1;
}

/* All calls that are due by now. 0, or a negative errno. */
static int send_all_due(struct pipeline *pipeline, bool *all_taken)
{
    int sent = 1;

    while (sent == 1 && !*all_taken && pipeline->schedule.due <= pipeline->config->clock->start())
        sent = send_due(pipeline, all_taken);
    return sent < 0 ? sent : 0;
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

/* Wait until the next call is due, or a reply comes: asleep at first, then awake. */
static int wait_until_due(struct pipeline *pipeline, bool all_taken)
{
    const struct clock *clock = pipeline->config->clock;
    uint64_t now = clock->start(), due = pipeline->schedule.due;
    double ns = due > now ? (double)(due - now) * clock->ns_per_tick : 0;

    if (all_taken || now >= due) /* replies are all there is to wait for */
        ns = IDLE_NS;
    if (!pipeline->config->channel.spin && ns > SPIN_NS)
        return pipeline_wait(pipeline, (uint64_t)ns - SPIN_NS);
    return poll_once(pipeline);
}

int open_loop_run(struct pipeline *pipeline)
{
    const struct clock *clock = pipeline->config->clock;
    struct schedule *schedule = &pipeline->schedule;
    bool all_taken = false;
    uint64_t taken_at = 0;
    int code = 0;

    if (schedule->begun)
        resume_schedule(pipeline, clock->start());
    else
        begin_schedule(pipeline, clock->start());
    while (code == 0 && (!all_taken || pipeline->in_flight > 0)) {
        code = send_all_due(pipeline, &all_taken);
        if (all_taken && taken_at == 0)
            taken_at = clock->start();
        if (code == 0 && !all_taken)
            code = check_behind(pipeline, clock->start());
        if (code == 0 && (!all_taken || pipeline->in_flight > 0))
            code = wait_until_due(pipeline, all_taken);
        if (code == 0)
            code = pipeline_look_around(pipeline);
    }
    schedule->all_taken_at = taken_at;
    schedule->ended_at = clock->start();
    return code;
}
