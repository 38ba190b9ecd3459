/* The worker of engine wire: its connections, its clients' security contexts, its blocks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "engine/wire/pipeline.h"

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
            work_note_first_reply(pipeline->work, pipeline->config->clock->stop());
    }
}

static void abandon_calls(struct pipeline *pipeline)
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
        abandon_calls(pipeline);
    return code;
}

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

static unsigned clients_of(const struct load *load, unsigned thread)
{
    return (load->clients - thread + load->threads - 1) / load->threads;
}

/* Check that the server's window has room for all calls in flight with one security context. The
 * server drops calls outside of its window. */
static int check_window(const struct pipeline *pipeline, const struct gss_client *security)
{
    const struct load *load = &pipeline->config->load;
    uint64_t sharing = load->shared_contexts ? clients_of(load, pipeline->thread) : 1;
    uint32_t window = security->type->window(security);

    if (load->depth * load->connections * sharing <= window)
        return 0;
    return error_set(
        pipeline->error, ERROR_USAGE, -EINVAL,
        "the server's RPCSEC_GSS sequence window allows %u calls in flight per security context; "
        "lower --depth or --connections (their product%s is the number in flight)",
        window, load->shared_contexts ? " times the clients of a thread" : "");
}

/* If calls are protected, open the next client's context. Shared contexts: open only the first. */
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

    if (!pipeline)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    pipeline->config = config;
    pipeline->thread = thread;
    pipeline->error = error;
    pipeline->epoll = -1;
    random_seed(&pipeline->random,
                config->load.seed + ((uint64_t)config->load.rank << 32) + thread);
    code = open_links(pipeline, thread);
    if (code)
        pipeline_close((struct worker *)pipeline);
    else
        *worker = (struct worker *)pipeline;
    return code;
}

static size_t pipeline_sockets(const struct worker *worker, int *fds, size_t room)
{
    const struct pipeline *pipeline = (const struct pipeline *)worker;
    size_t count = 0;

    for (size_t i = 0; i < pipeline->link_count && count < room; i++)
        if (pipeline->links[i].connection.fd >= 0)
            fds[count++] = pipeline->links[i].connection.fd;
    return count;
}

const struct worker_type worker_pipeline = {.depth_maximum = CONNECTION_DEPTH_MAXIMUM,
                                            .open_loop = true,
                                            .takes_steps = true,
                                            .takes_batches = true,
                                            .open = pipeline_open,
                                            .run = pipeline_run,
                                            .close = pipeline_close,
                                            .sockets = pipeline_sockets};
