#include "characterize/burst.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/deadline.h"
#include "common/memory.h"

enum {
    BACKGROUND_BLOCKS = 64, /* calls in a background block, for each call in flight */
    LOOK_NS = 20 * 1000,    /* interval of checks whether the first calls have been answered, ns */
};

static void free_calls(void *context)
{
    struct encoded_calls *calls = context;

    for (size_t i = 0; i < calls->variants; i++)
        free(calls->messages[i].bytes);
    free(calls->messages);
}

void burst_encode(struct encoded_calls *calls, struct testbed *testbed, const char *op,
                  size_t count,
                  void (*fill)(void *context, size_t number, union nfs_arguments *arguments),
                  void *context)
{
    *calls = (struct encoded_calls){.op = op, .messages = calloc(count, sizeof *calls->messages)};
    if (!calls->messages) {
        testbed_keep_until_end(testbed, NULL, free_calls);
        return;
    }
    testbed_keep_until_end(testbed, calls, free_calls);
    while (calls->variants < count && testbed->code == 0) {
        union nfs_arguments arguments;

        memset(&arguments, 0, sizeof arguments);
        fill(context, calls->variants, &arguments);
        testbed->code =
            rpc_message_make(&calls->messages[calls->variants], &nfs_procedure_find(op)->rpc,
                             &testbed->plan->run.identity, &arguments, &testbed->error);
        calls->variants += testbed->code == 0;
    }
}

static int open_engine(struct burst *burst, struct testbed *testbed, unsigned connections,
                       unsigned depth, const volatile sig_atomic_t *stop, struct error *error)
{
    struct channel_options options = testbed_channel_options(testbed);
    struct engine_config config = {
        .endpoint = setup_endpoint(&testbed->setup, SERVICE_NFS),
        .clock = &testbed->clock,
        .load = {.clients = 1, .connections = connections, .depth = depth, .threads = 1}};

    if (stop)
        options.deadline.stop = stop;
    config.channel = setup_secure(&testbed->setup, SERVICE_NFS, &options);
    burst->testbed = testbed;
    return engine_open(&burst->engine, &engine_wire, &config, error);
}

static void close_burst(void *context)
{
    struct burst *burst = context;

    engine_close(burst->engine);
    free(burst->block.ticks);
}

void burst_open(struct burst *burst, struct testbed *testbed, unsigned connections, unsigned depth)
{
    *burst = (struct burst){.capacity = 0};
    if (testbed->code == 0)
        testbed->code = open_engine(burst, testbed, connections, depth, NULL, &testbed->error);
    if (testbed->code == 0)
        testbed_keep_until_end(testbed, burst, close_burst);
}

static int check_status(const void *context, struct wire_reader *reader)
{
    uint32_t status = wire_get_u32(reader);

    (void)context;
    reader->at = reader->end; /* skip the rest of the result, after its status */
    return reader->failed || status > INT32_MAX ? -EBADMSG : (int)status;
}

static int reserve_ticks(struct burst *burst, size_t count, struct error *error)
{
    if (array_reserve(&burst->block.ticks, &burst->capacity, count, sizeof *burst->block.ticks) ==
        0)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu calls", count);
}

static int check_tally(const char *op, const struct engine_tally *tally, struct error *error)
{
    int status = tally->errors[0].status;

    if (tally->failed == 0)
        return 0;
    if (status > 0)
        return testbed_refuse(op, (nfsstat3)status, error);
    return error_set(error, ERROR_FAILED, -EPROTO, "%s was answered by an RPC error",
                     nfs_procedure_find(op)->rpc.name);
}

static int run_burst_block(struct burst *burst, const struct encoded_calls *calls, size_t count,
                           struct error *error)
{
    const struct engine_call call = {.procedure = &nfs_procedure_find(calls->op)->rpc,
                                     .identity = &burst->testbed->plan->run.identity,
                                     .variants = calls->variants,
                                     .messages = calls->messages,
                                     .check = check_status};
    struct engine_tally tally = {.failed = 0};
    int code = reserve_ticks(burst, count, error);

    burst->block.count = count;
    if (code == 0)
        code = engine_run(burst->engine, &call, &burst->block, &tally, error);
    return code ? code : check_tally(calls->op, &tally, error);
}

uint64_t burst_run(struct burst *burst, const struct encoded_calls *calls, size_t count)
{
    struct testbed *testbed = burst->testbed;
    uint64_t started;

    if (!testbed_may_call(testbed))
        return 0;
    testbed->calls += count;
    started = testbed->clock.start();
    testbed->code = run_burst_block(burst, calls, count, &testbed->error);
    return testbed->clock.stop() - started;
}

/* Calls in the background */

/* Make COUNT calls and, unless they fail, add the number of those with a reply to `answered`. */
static void run_counted(struct burst *burst, size_t count)
{
    burst->code = run_burst_block(burst, &burst->calls, count, &burst->error);
    if (burst->code == 0)
        burst->answered += burst->block.recorded;
}

/* Make blocks of calls until burst_stop() or a failure. The first block is short, twice the queue
 * depth, so that IS_BUSY is set soon. */
static void *run_blocks(void *context)
{
    struct burst *burst = context;

    run_counted(burst, (size_t)2 * burst->depth);
    atomic_store(&burst->is_busy, true);
    while (burst->code == 0 && !__atomic_load_n(&burst->stop, __ATOMIC_RELAXED))
        run_counted(burst, burst->capacity);
    return NULL;
}

bool burst_start(struct burst *burst, struct testbed *testbed, unsigned depth,
                 const struct encoded_calls *calls)
{
    *burst = (struct burst){.calls = *calls, .depth = depth};
    if (testbed->code == 0)
        testbed->code = open_engine(burst, testbed, 1, depth, &burst->stop, &testbed->error);
    if (testbed->code == 0)
        testbed->code = reserve_ticks(burst, (size_t)BACKGROUND_BLOCKS * depth, &testbed->error);
    if (testbed->code == 0 && pthread_create(&burst->thread, NULL, run_blocks, burst) != 0)
        testbed->code =
            error_set(&testbed->error, ERROR_FAILED, -EAGAIN, "starting a thread failed");
    if (testbed->code) {
        close_burst(burst);
        return false;
    }
    while (!atomic_load(&burst->is_busy) && testbed_may_call(testbed))
        deadline_pause(LOOK_NS);
    return true;
}

void burst_stop(struct burst *burst)
{
    struct testbed *testbed = burst->testbed;

    __atomic_store_n(&burst->stop, 1, __ATOMIC_RELAXED);
    pthread_join(burst->thread, NULL);
    if (testbed->code == 0 && burst->code && burst->code != -EINTR) {
        testbed->code = burst->code;
        testbed->error = burst->error;
    }
    testbed->calls += burst->answered;
    close_burst(burst);
}
