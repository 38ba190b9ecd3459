/* Engine wire under load: one thread, any number of connections, many calls in flight on each. One
 * reading of the clock times all replies of one receive, because they arrived together, and one
 * reading times all calls of one send. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "common/system_clock.h"
#include "engine/channel/socket_io.h"
#include "engine/wire/pipeline.h"

enum { EVENTS = 64 };

/* Network failures */

int pipeline_watch(struct pipeline *pipeline, struct link *link, int operation)
{
    struct epoll_event event = {.events = EPOLLIN | (link->waits_to_send ? EPOLLOUT : 0),
                                .data.ptr = link};

    if (epoll_ctl(pipeline->epoll, operation, link->connection.fd, &event) == 0)
        return 0;
    return error_set(pipeline->error, ERROR_FAILED, -errno, "watching a connection: %s",
                     strerror(errno));
}

static void note_filled(struct pipeline *pipeline, struct link *link, uint64_t now)
{
    if (!link->filled)
        work_note_first_reply(pipeline->work, now);
    link->filled = true;
}

/* Handle CODE from LINK's socket. Returns 0 if the block can go on, or CODE with the error set. */
static int tolerate_failure(struct pipeline *pipeline, struct link *link, int code)
{
    if (code == 0 || code == -EAGAIN)
        return 0;
    if (!socket_io_was_lost(code) || link->connection.security_failure)
        return connection_describe(&link->connection, code, pipeline->error);
    connection_lose(&link->connection); /* closes the socket, which removes it from the epoll set */
    link->waits_to_send = false;
    pipeline->lost++;
    note_filled(pipeline, link, pipeline->config->clock->stop());
    return 0;
}

/* If WAITS is true, watch for room in the send buffer of LINK's socket; otherwise stop watching. */
static int watch_sending(struct pipeline *pipeline, struct link *link, bool waits)
{
    if (link->waits_to_send == waits)
        return 0;
    link->waits_to_send = waits;
    return pipeline_watch(pipeline, link, EPOLL_CTL_MOD);
}

int pipeline_send(struct pipeline *pipeline, struct link *link)
{
    int code = connection_send(&link->connection);

    if (code != 0 && code != -EAGAIN)
        return tolerate_failure(pipeline, link, code);
    pipeline->held |= connection_must_resend(&link->connection);
    return watch_sending(pipeline, link, code == -EAGAIN);
}

/* Receiving replies */

static size_t shortest_reply(const struct connection_reply *replies, size_t count)
{
    size_t least = replies[0].message.length;

    for (size_t i = 1; i < count; i++)
        least = replies[i].message.length < least ? replies[i].message.length : least;
    return least + RPC_RECORD_MARK_SIZE;
}

/* Set the low-water mark so that a receive sleeps until the requested number of replies has
 * arrived. The mark is computed from the shortest reply so far. */
static void set_batch(struct pipeline *pipeline, struct link *link)
{
    unsigned batch = pipeline->config->load.batch;
    size_t least = shortest_reply(pipeline->replies, pipeline->reply_count);

    if (least < pipeline->least_reply || pipeline->least_reply == 0)
        pipeline->least_reply = least;
    if (!work_is_all_taken(pipeline->work))
        connection_set_low_water(&link->connection, batch * pipeline->least_reply);
}

static struct engine_tally *tally_of(const struct pipeline *pipeline, const struct call_slot *call)
{
    return call->scheduled ? &pipeline_part(pipeline, call->scheduled->block)->tally
                           : pipeline->tally;
}

/* Return the send time, in ticks, of the oldest call that was in flight just before the latest
 * replies came: of the calls that they answer, and of those still in flight. */
static uint64_t find_oldest(const struct pipeline *pipeline)
{
    uint64_t oldest = UINT64_MAX;

    for (size_t i = 0; i < pipeline->reply_count; i++)
        if (pipeline->replies[i].call.submitted < oldest)
            oldest = pipeline->replies[i].call.submitted;
    for (size_t i = 0; i < pipeline->link_count; i++) {
        const uint64_t other = connection_oldest(&pipeline->links[i].connection);

        if (other && other < oldest)
            oldest = other;
    }
    return oldest;
}

static void end_silence(struct pipeline *pipeline, uint64_t now)
{
    const struct engine_gap silence = {pipeline->silences.answered_at, now, pipeline->in_flight};

    pipeline->silences.answered_at = now;
    if (silence_is_noted(pipeline->config->clock, now - silence.began))
        silences_note(&pipeline->silences, &tally_of(pipeline, &pipeline->replies[0].call)->waits,
                      &silence, find_oldest(pipeline));
}

static int take_replies(struct pipeline *pipeline, struct link *link, uint64_t now)
{
    int code = connection_take(&link->connection, now, pipeline->replies, &pipeline->reply_count);

    if (code)
        return connection_describe(&link->connection, code, pipeline->error);
    if (pipeline->reply_count == 0)
        return 0;
    end_silence(pipeline, now);
    if (pipeline->work->queue)
        open_loop_add_area(pipeline, now);
    else if (!pipeline->op.call && work_is_steady(pipeline->work, now))
        pipeline->tally->steady_calls += pipeline->reply_count;
    pipeline->in_flight -= pipeline->reply_count;
    note_filled(pipeline, link, now);
    if (pipeline->config->load.batch > 1)
        set_batch(pipeline, link);
    return 0;
}

static void note_sample(struct pipeline *pipeline, const struct link *link,
                        const struct call_slot *call, uint64_t now)
{
    const struct sample_of of = {.client = link->client, .number = (uint32_t)call->number};

    if (call->scheduled) {
        open_loop_note(pipeline, call, now);
        samples_add_open(&pipeline_part(pipeline, call->scheduled->block)->samples, of, call, now);
    } else if (call->resent == 0 || pipeline->config->count_resent) {
        samples_add(pipeline->samples, of, now - call->submitted, now);
    }
}

static void note_wait(struct pipeline *pipeline, const struct call_slot *call,
                      struct engine_tally *tally, uint64_t now)
{
    struct silences *silences = &pipeline->silences;

    if (call->resent > 0)
        silences_note_resent(silences, &tally->gaps, call->submitted);
    else if (silence_is_noted(pipeline->config->clock, now - call->submitted))
        silences_note_call(silences, &tally->waits, call->submitted, now);
    if (call->submitted > silences->latest_sent)
        silences->latest_sent = call->submitted;
}

static int check_reply(struct pipeline *pipeline, const struct link *link,
                       const struct connection_reply *reply, uint64_t now)
{
    struct queued_block *block = reply->call.scheduled ? reply->call.scheduled->block : NULL;
    const struct engine_call *call = block ? block->call : pipeline->work->call;
    struct engine_tally *tally = tally_of(pipeline, &reply->call);
    const size_t number = reply->call.number;
    const struct engine_step step =
        block ? block_queue_step(block, number) : engine_step_of(call, number);
    int status = known_reply_check(&pipeline->known_reply, step.call, reply->message.bytes,
                                   reply->message.length, tally);

    status = engine_verify_reply(step.call, step.variant, reply->message.bytes,
                                 reply->message.length, status);
    connection_note_checked(&link->connection, reply, status);
    note_wait(pipeline, &reply->call, tally, now);
    if (status == -EBADMSG && engine_ends_by_garbage(call, number))
        return engine_refuse_garbage(reply->message.length, pipeline->error);
    if (status != 0)
        engine_count_error(tally, status);
    else
        note_sample(pipeline, link, &reply->call, now);
    if (block)
        block_queue_finish_one(pipeline->work->queue, block);
    return 0;
}

static int check_replies(struct pipeline *pipeline, const struct link *link, uint64_t now)
{
    int code = 0;

    for (size_t i = 0; i < pipeline->reply_count && code == 0; i++)
        code = check_reply(pipeline, link, &pipeline->replies[i], now);
    return code;
}

/* A closed loop sends new calls before the replies are checked, so that the server works meanwhile.
 * In an op of several calls, replies are checked first, because the next calls depend on them. */
int pipeline_receive(struct pipeline *pipeline, struct link *link, bool wait)
{
    const struct pipeline_loop *loop = pipeline->loop;
    int code = connection_receive(&link->connection, wait);
    uint64_t now = pipeline->config->clock->stop();

    if (code)
        return tolerate_failure(pipeline, link, code);
    code = take_replies(pipeline, link, now);
    if (code == 0 && loop->take_parts)
        code = loop->take_parts(pipeline, now);
    if (code == 0 && (!pipeline->work->queue || connection_must_resend(&link->connection)))
        code = loop->resume(pipeline, link, now);
    return code || loop->take_parts ? code : check_replies(pipeline, link, now);
}

static int resume_link(struct pipeline *pipeline, struct link *link)
{
    return pipeline->loop->resume(pipeline, link, pipeline->config->clock->stop());
}

static int restore_links(struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->link_count && pipeline->lost > 0; i++) {
        struct link *link = &pipeline->links[i];
        int code;

        if (link->connection.fd >= 0)
            continue;
        code = connection_restore(&link->connection, pipeline->error);
        if (code)
            return code;
        if (link->connection.fd < 0)
            continue;
        pipeline->lost--;
        code = pipeline_watch(pipeline, link, EPOLL_CTL_ADD);
        if (code == 0)
            code = resume_link(pipeline, link);
        if (code)
            return code;
    }
    return 0;
}

static int resume_held(struct pipeline *pipeline)
{
    int code = 0;

    pipeline->held = false;
    for (size_t i = 0; i < pipeline->link_count && code == 0; i++) {
        struct link *link = &pipeline->links[i];
        bool waits = link->reserved > 0 || connection_must_resend(&link->connection);

        if (waits && !link->waits_to_send && link->connection.fd >= 0)
            code = resume_link(pipeline, link);
    }
    return code;
}

int pipeline_look_around(struct pipeline *pipeline)
{
    uint64_t now;
    int code = 0;

    if (deadline_is_stopped(&pipeline->config->channel.deadline) ||
        atomic_load_explicit(&pipeline->work->failed, memory_order_relaxed))
        return error_set(pipeline->error, ERROR_FAILED, -EINTR, "interrupted");
    now = clock_raw_ns();
    if (pipeline->lost > 0)
        code = restore_links(pipeline);
    if (code == 0 && pipeline->held)
        code = resume_held(pipeline);
    if (now < pipeline->next_look_ns)
        return code;
    pipeline->next_look_ns = now + PIPELINE_LOOK_AROUND_MS * UINT64_C(1000000);
    if (pipeline->config->load.rate == 0)
        work_cut_if_late(pipeline->work);
    for (size_t i = 0; i < pipeline->link_count && code == 0; i++) {
        struct link *link = &pipeline->links[i];

        code = connection_check_timeouts(&link->connection, pipeline->error);
        /* If the replies that have arrived are shorter in total than the low-water mark, epoll does
         * not report them. Receive them here. */
        if (code == 0 && link->connection.fd >= 0 && link->connection.low_water > 1)
            code = pipeline_receive(pipeline, link, false);
        if (code == 0 && link->connection.fd >= 0 &&
            transmit_buffer_holds(&link->connection.transmit_buffer))
            code = pipeline_send(pipeline, link);
    }
    return code;
}

/* Waiting */

static int handle_event(struct pipeline *pipeline, const struct epoll_event *event)
{
    struct link *link = event->data.ptr;
    int code = 0;

    if (event->events & (EPOLLIN | EPOLLERR | EPOLLHUP))
        code = pipeline_receive(pipeline, link, false);
    if (code == 0 && (event->events & EPOLLOUT) && link->connection.fd >= 0)
        code = resume_link(pipeline, link);
    return code;
}

int pipeline_wait(struct pipeline *pipeline, uint64_t timeout_ns)
{
    struct epoll_event events[EVENTS];
    struct timespec timeout = system_clock_timespec(timeout_ns);
    int count = epoll_pwait2(pipeline->epoll, events, EVENTS, &timeout, NULL), code = 0;

    for (int i = 0; i < count && code == 0; i++)
        code = handle_event(pipeline, &events[i]);
    return code;
}

bool pipeline_is_simple(const struct pipeline *pipeline)
{
    return pipeline->link_count == 1 && pipeline->lost == 0 && !pipeline->links[0].waits_to_send;
}

void pipeline_add_counts(struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->link_count; i++) {
        struct connection *connection = &pipeline->links[i].connection;
        struct channel_counts *counts = &connection->counts;

        channel_counts_add(&pipeline->tally->counts, counts);
        *counts = (struct channel_counts){0};
        pipeline->tally->turn_ticks += connection->turn_ticks;
        pipeline->tally->turn_calls += connection->turn_calls;
        connection->turn_ticks = connection->turn_calls = 0;
    }
}
