/* Engine wire under load: one thread, any number of connections, many calls in flight on each. All
 * replies that one receive brings are timed by one reading of the clock, and all calls that one
 * send takes by another: these are the times at which they arrived and left. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "engine/pipeline.h"
#include "engine/socket_io.h"

enum { EVENTS = 64 };

/* Network failures */

/* Have epoll watch LINK's connection; OPERATION is one of epoll_ctl()'s. Returns 0, or a negative
 * errno with the pipeline's error set. */
static int pipeline_watch(struct pipeline *pipeline, struct link *link, int operation)
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
        work_one_is_filled(pipeline->work, now);
    link->filled = true;
}

/* Handle CODE from LINK's socket. Returns 0 if the block can continue. */
static int tolerate_failure(struct pipeline *pipeline, struct link *link, int code)
{
    if (code == 0 || code == -EAGAIN)
        return 0;
    if (!socket_io_was_lost(code) || link->connection.security_failure)
        return connection_describe(&link->connection, code, pipeline->error);
    connection_lose(&link->connection); /* which takes it out of the epoll set */
    link->waits_to_send = false;
    pipeline->lost++;
    note_filled(pipeline, link, pipeline->config->clock->stop());
    return 0;
}

/* Have epoll report when LINK's socket takes more, or stop that. */
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

/* Replies in */

/* Bytes of the shortest of COUNT replies. */
static size_t shortest(const struct connection_reply *replies, size_t count)
{
    size_t least = replies[0].message.length;

    for (size_t i = 1; i < count; i++)
        least = replies[i].message.length < least ? replies[i].message.length : least;
    return least + RPC_RECORD_MARK_SIZE;
}

/* Sleep until as many replies have arrived as the load asks for, going by the shortest so far. */
static void set_batch(struct pipeline *pipeline, struct link *link)
{
    unsigned batch = pipeline->config->load.batch;
    size_t least = shortest(pipeline->replies, pipeline->reply_count);

    if (least < pipeline->least_reply || pipeline->least_reply == 0)
        pipeline->least_reply = least;
    if (!work_is_all_taken(pipeline->work))
        connection_set_low_water(&link->connection, batch * pipeline->least_reply);
}

/* Take the replies that were received at NOW; their slots are free then. */
static int take_replies(struct pipeline *pipeline, struct link *link, uint64_t now)
{
    int code = connection_take(&link->connection, now, pipeline->replies, &pipeline->reply_count);

    if (code)
        return connection_describe(&link->connection, code, pipeline->error);
    if (pipeline->reply_count == 0)
        return 0;
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

/* Check REPLY, which was received at NOW, and record how long its call took. */
static int check_reply(struct pipeline *pipeline, const struct link *link,
                       const struct connection_reply *reply, uint64_t now)
{
    struct queued_block *block = reply->call.scheduled ? reply->call.scheduled->block : NULL;
    const struct engine_call *call = block ? block->call : pipeline->work->call;
    struct engine_tally *tally = block ? &pipeline_part(pipeline, block)->tally : pipeline->tally;
    const size_t number = reply->call.number;
    const struct engine_step step =
        block ? block_queue_step(block, number) : engine_step_of(call, number);
    int status = known_reply_check(&pipeline->known_reply, step.call, reply->message.bytes,
                                   reply->message.length, tally);

    status = engine_verify_reply(step.call, step.variant, reply->message.bytes,
                                 reply->message.length, status);
    connection_note_checked(&link->connection, reply, status);
    if (reply->call.resent > 0)
        engine_gaps_note(&tally->gaps, reply->call.submitted, now);
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

/* Which calls of an op come next is known from the replies to the earlier ones. */
static int continue_op(struct pipeline *pipeline, struct link *link, uint64_t now)
{
    int code = closed_loop_take_parts(pipeline, now);

    return code ? code : closed_loop_refill(pipeline, link, now);
}

/* The next calls are sent before the replies are checked, so that the server works meanwhile. */
int pipeline_receive(struct pipeline *pipeline, struct link *link, bool wait)
{
    int code = connection_receive(&link->connection, wait);
    uint64_t now = pipeline->config->clock->stop();

    if (code)
        return tolerate_failure(pipeline, link, code);
    code = take_replies(pipeline, link, now);
    if (code == 0 && pipeline->op.call)
        return continue_op(pipeline, link, now);
    if (code == 0 && !pipeline->work->queue)
        code = closed_loop_refill(pipeline, link, now);
    else if (code == 0 && connection_must_resend(&link->connection))
        code = pipeline_send(pipeline, link);
    return code ? code : check_replies(pipeline, link, now);
}

/* Looking around */

/* LINK's socket accepts more again. */
static int resume(struct pipeline *pipeline, struct link *link)
{
    return pipeline->work->queue
               ? pipeline_send(pipeline, link)
               : closed_loop_refill(pipeline, link, pipeline->config->clock->stop());
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
            code = resume(pipeline, link);
        if (code)
            return code;
    }
    return 0;
}

/* There may be room in the window again. */
static int resume_held(struct pipeline *pipeline)
{
    int code = 0;

    pipeline->held = false;
    for (size_t i = 0; i < pipeline->link_count && code == 0; i++) {
        struct link *link = &pipeline->links[i];
        bool waits = link->reserved > 0 || connection_must_resend(&link->connection);

        if (waits && !link->waits_to_send && link->connection.fd >= 0)
            code = resume(pipeline, link);
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
        /* Fewer replies than a batch have arrived, or shorter ones. */
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
        code = resume(pipeline, link);
    return code;
}

int pipeline_wait(struct pipeline *pipeline, uint64_t timeout_ns)
{
    struct epoll_event events[EVENTS];
    struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / 1000000000),
                               .tv_nsec = (long)(timeout_ns % 1000000000)};
    int count = epoll_pwait2(pipeline->epoll, events, EVENTS, &timeout, NULL), code = 0;

    for (int i = 0; i < count && code == 0; i++)
        code = handle_event(pipeline, &events[i]);
    return code;
}

bool pipeline_is_simple(const struct pipeline *pipeline)
{
    return pipeline->link_count == 1 && pipeline->lost == 0 && !pipeline->links[0].waits_to_send;
}

/* The block */

static void begin_block(struct pipeline *pipeline)
{
    uint64_t now = pipeline->config->clock->start();

    pipeline->next_look_ns = 0;
    pipeline->in_flight = 0;
    pipeline->least_reply = 0;
    known_reply_forget(&pipeline->known_reply);
    for (size_t i = 0; i < pipeline->link_count; i++) {
        pipeline->links[i].filled = pipeline->links[i].connection.fd < 0;
        pipeline->links[i].reserved = 0;
        pipeline->links[i].calls_left = 0;
        pipeline->links[i].thinks_until = 0;
        pipeline->links[i].connection.turns_since = now;
        connection_set_low_water(&pipeline->links[i].connection, 1);
        if (pipeline->links[i].filled)
            work_one_is_filled(pipeline->work, pipeline->config->clock->stop());
    }
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

static void abandon(struct pipeline *pipeline)
{
    uint64_t *owed_since = &pipeline->tally->owed_since;

    pipeline->lost = 0;
    for (size_t i = 0; i < pipeline->link_count; i++) {
        uint64_t oldest = connection_oldest(&pipeline->links[i].connection);

        if (oldest && (*owed_since == 0 || oldest < *owed_since))
            *owed_since = oldest;
        connection_abandon(&pipeline->links[i].connection);
        pipeline->links[i].waits_to_send = false;
        pipeline->lost += pipeline->links[i].connection.fd < 0;
    }
}

static int pipeline_run(struct worker *worker, struct engine_work *work,
                        struct engine_samples *samples, struct engine_tally *tally,
                        struct error *error)
{
    struct pipeline *pipeline = (struct pipeline *)worker;
    int code;

    pipeline->work = work;
    pipeline->samples = samples;
    pipeline->tally = tally;
    pipeline->error = error;
    begin_block(pipeline);
    pipeline->op.call = NULL;
    if (!work->queue && work->call->sequence)
        code = closed_loop_run_sequences(pipeline);
    else
        code = work->queue ? open_loop_run(pipeline) : closed_loop_run(pipeline);
    pipeline->op.call = NULL;
    pipeline_add_counts(pipeline);
    if (code || pipeline->in_flight > 0)
        abandon(pipeline);
    return code;
}

/* Opening and closing: the connections, and the security contexts of clients */

static void pipeline_close(struct worker *worker)
{
    struct pipeline *pipeline = (struct pipeline *)worker;

    for (size_t i = 0; i < pipeline->link_count; i++)
        connection_close(&pipeline->links[i].connection);
    for (size_t i = 0; i < pipeline->context_count; i++)
        channel_close(pipeline->contexts[i]);
    free(pipeline->contexts);
    free(pipeline->links);
    free(pipeline->replies);
    if (pipeline->epoll >= 0)
        close(pipeline->epoll);
    free(pipeline);
}

/* Clients are dealt to the threads in turn. */
static unsigned clients_of(const struct load *load, unsigned thread)
{
    return (load->clients - thread + load->threads - 1) / load->threads;
}

/* All calls in flight by a context must be in the server's window, or it drops them. */
static int check_window(const struct pipeline *pipeline, const struct gss_client *security)
{
    const struct load *load = &pipeline->config->load;
    uint64_t sharing = load->shared_contexts ? clients_of(load, pipeline->thread) : 1;
    uint32_t window = gss_client_window(security);

    if (load->depth * load->connections * sharing <= window)
        return 0;
    return error_set(pipeline->error, ERROR_USAGE, -EINVAL,
                     "the server's window of sequence numbers has room for %u calls in flight by "
                     "each security context; --depth times --connections%s must not be more",
                     window, load->shared_contexts ? " times the clients of a thread" : "");
}

/* The context of the next client, or of all. */
static int open_context(struct pipeline *pipeline)
{
    const struct engine_config *config = pipeline->config;
    struct channel **context = &pipeline->contexts[pipeline->context_count];
    int code;

    if (!config->channel.security.flavor ||
        (config->load.shared_contexts && pipeline->context_count > 0))
        return 0;
    code = channel_open(context, &config->endpoint, &config->channel, pipeline->error);
    if (code)
        return code;
    channel_lift_deadline(*context);
    pipeline->context_count++;
    return check_window(pipeline, channel_security(*context));
}

static int protect_link(struct pipeline *pipeline, struct link *link)
{
    struct channel *context =
        pipeline->context_count ? pipeline->contexts[pipeline->context_count - 1] : NULL;

    if (!context || connection_protect(&link->connection, channel_security(context)) == 0)
        return 0;
    return error_set(pipeline->error, ERROR_FAILED, -ENOMEM, "out of memory for a connection");
}

static int open_link(struct pipeline *pipeline, unsigned client)
{
    const struct engine_config *config = pipeline->config;
    struct link *link = &pipeline->links[pipeline->link_count];
    struct channel_options options = config->channel;
    int code;

    if (options.load_watch)
        options.load_watch += pipeline->thread;
    code = connection_open(&link->connection, &config->endpoint, &options,
                           (unsigned)pipeline->link_count, config->load.depth, config->clock,
                           pipeline->error);
    if (code)
        return code;
    link->client = client;
    link->connection.patient = config->load.rate > 0;
    pipeline->link_count++;
    code = protect_link(pipeline, link);
    if (code)
        return code;
    return pipeline_watch(pipeline, link, EPOLL_CTL_ADD);
}

static int open_links(struct pipeline *pipeline, unsigned thread)
{
    const struct load *load = &pipeline->config->load;
    size_t clients = load->clients / load->threads + 1;
    int code = 0;

    pipeline->epoll = epoll_create1(EPOLL_CLOEXEC);
    pipeline->links = calloc(clients * load->connections, sizeof *pipeline->links);
    pipeline->contexts = calloc(clients, sizeof(struct channel *));
    pipeline->replies = calloc(load->depth, sizeof *pipeline->replies);
    if (pipeline->epoll < 0)
        return error_set(pipeline->error, ERROR_FAILED, -errno, "epoll: %s", strerror(errno));
    if (!pipeline->links || !pipeline->replies || !pipeline->contexts)
        return error_set(pipeline->error, ERROR_FAILED, -ENOMEM, "out of memory for connections");
    for (unsigned client = thread; client < load->clients && code == 0; client += load->threads) {
        code = open_context(pipeline);
        for (unsigned i = 0; i < load->connections && code == 0; i++)
            code = open_link(pipeline, client);
    }
    return code;
}

static int pipeline_open(struct worker **worker, const struct engine_type *type,
                         const struct engine_config *config, unsigned thread, struct error *error)
{
    struct pipeline *pipeline = calloc(1, sizeof *pipeline);
    int code;

    (void)type;
    if (!pipeline)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    pipeline->config = config;
    pipeline->thread = thread;
    pipeline->error = error;
    pipeline->epoll = -1;
    random_seed(&pipeline->random, config->load.seed + thread);
    code = open_links(pipeline, thread);
    if (code)
        pipeline_close((struct worker *)pipeline);
    else
        *worker = (struct worker *)pipeline;
    return code;
}

const struct worker_type worker_pipeline = {.depth_maximum = CONNECTION_DEPTH_MAXIMUM,
                                            .open_loop = true,
                                            .takes_steps = true,
                                            .takes_batches = true,
                                            .open = pipeline_open,
                                            .run = pipeline_run,
                                            .close = pipeline_close};
