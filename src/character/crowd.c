#include "character/crowd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BACKGROUND_BLOCKS = 64, /* times the calls in flight: a block, which has a begin and an end */
    LOOK_NS = 20 * 1000,    /* between looks whether the first calls are answered */
};

/* Calls */

static void free_calls(void *context)
{
    struct crowd_calls *calls = context;

    for (size_t i = 0; i < calls->variants; i++)
        free(calls->messages[i].bytes);
    free(calls->messages);
}

int crowd_calls_make(struct crowd_calls *calls, struct lab *lab, const char *op, size_t count,
                     void (*fill)(void *context, size_t number, union nfs_arguments *arguments),
                     void *context, struct error *error)
{
    int code;

    *calls = (struct crowd_calls){.op = op, .messages = calloc(count, sizeof *calls->messages)};
    if (!calls->messages)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu calls", count);
    code = lab_own(lab, calls, free_calls, error);
    while (calls->variants < count && code == 0) {
        union nfs_arguments arguments;

        memset(&arguments, 0, sizeof arguments);
        fill(context, calls->variants, &arguments);
        code = rpc_message_make(&calls->messages[calls->variants], &nfs_procedure_find(op)->rpc,
                                &lab->plan->run.identity, &arguments, error);
        calls->variants += code == 0;
    }
    return code;
}

/* Connections */

static int open_engine(struct crowd *crowd, struct lab *lab, unsigned connections, unsigned depth,
                       const volatile sig_atomic_t *stop, struct error *error)
{
    struct channel_options options = lab_channel_options(lab);
    struct engine_config config = {
        .endpoint = setup_endpoint(&lab->setup, SERVICE_NFS),
        .clock = &lab->clock,
        .load = {.clients = 1, .connections = connections, .depth = depth, .threads = 1}};

    if (stop)
        options.stop = stop;
    config.channel = setup_secure(&lab->setup, SERVICE_NFS, &options);
    crowd->lab = lab;
    return engine_open(&crowd->engine, engine_find("wire"), &config, error);
}

static void close_crowd(void *context)
{
    struct crowd *crowd = context;

    engine_close(crowd->engine);
    free(crowd->block.ticks);
}

int crowd_open(struct crowd *crowd, struct lab *lab, unsigned connections, unsigned depth,
               struct error *error)
{
    int code;

    *crowd = (struct crowd){.capacity = 0};
    code = open_engine(crowd, lab, connections, depth, NULL, error);
    return code ? code : lab_own(lab, crowd, close_crowd, error);
}

static int check_status(const void *context, struct wire_reader *reader)
{
    uint32_t status = wire_get_u32(reader);

    (void)context;
    reader->at = reader->end; /* the rest is of no interest here */
    return reader->failed || status > INT32_MAX ? -EBADMSG : (int)status;
}

static int reserve(struct crowd *crowd, size_t count, struct error *error)
{
    if (crowd->capacity >= count)
        return 0;
    free(crowd->block.ticks);
    crowd->block.ticks = calloc(count, sizeof *crowd->block.ticks);
    crowd->capacity = crowd->block.ticks ? count : 0;
    return crowd->capacity
               ? 0
               : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu calls", count);
}

static int explain(const char *op, const struct engine_tally *tally, struct error *error)
{
    int status = tally->errors[0].status;

    if (tally->failed == 0)
        return 0;
    if (status > 0)
        return lab_refuse(op, (nfsstat3)status, error);
    return error_set(error, ERROR_FAILED, -EPROTO, "%s was refused by RPC",
                     nfs_procedure_find(op)->rpc.name);
}

static int run_block(struct crowd *crowd, const struct crowd_calls *calls, size_t count,
                     struct error *error)
{
    const struct engine_call call = {.procedure = &nfs_procedure_find(calls->op)->rpc,
                                     .identity = &crowd->lab->plan->run.identity,
                                     .variants = calls->variants,
                                     .messages = calls->messages,
                                     .check = check_status};
    struct engine_tally tally = {.failed = 0};
    int code = reserve(crowd, count, error);

    crowd->block.count = count;
    if (code == 0)
        code = engine_run(crowd->engine, &call, &crowd->block, &tally, error);
    return code ? code : explain(calls->op, &tally, error);
}

int crowd_run(struct crowd *crowd, const struct crowd_calls *calls, size_t count, uint64_t *ticks,
              struct error *error)
{
    int code = lab_goes_on(crowd->lab, error);
    uint64_t started;

    if (code)
        return code;
    crowd->lab->calls += count;
    started = crowd->lab->clock.start();
    code = run_block(crowd, calls, count, error);
    *ticks = crowd->lab->clock.stop() - started;
    return code;
}

/* In the background */

/* Calls that crowd_end() cuts short don't count. */
static void run_counted(struct crowd *crowd, size_t count)
{
    crowd->code = run_block(crowd, &crowd->calls, count, &crowd->error);
    if (crowd->code == 0)
        crowd->answered += crowd->block.recorded;
}

/* The first block has as many calls as take the queue to its full length, and as many again. */
static void *run_blocks(void *context)
{
    struct crowd *crowd = context;

    run_counted(crowd, (size_t)2 * crowd->depth);
    atomic_store(&crowd->is_busy, true);
    while (crowd->code == 0 && !__atomic_load_n(&crowd->stop, __ATOMIC_RELAXED))
        run_counted(crowd, crowd->capacity);
    return NULL;
}

int crowd_begin(struct crowd *crowd, struct lab *lab, unsigned depth,
                const struct crowd_calls *calls, struct error *error)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    int code;

    *crowd = (struct crowd){.calls = *calls, .depth = depth};
    code = open_engine(crowd, lab, 1, depth, &crowd->stop, error);
    if (code == 0)
        code = reserve(crowd, (size_t)BACKGROUND_BLOCKS * depth, error);
    if (code == 0 && pthread_create(&crowd->thread, NULL, run_blocks, crowd) != 0)
        code = error_set(error, ERROR_FAILED, -EAGAIN, "a thread can't be started");
    if (code)
        close_crowd(crowd);
    while (code == 0 && !atomic_load(&crowd->is_busy) && lab_goes_on(lab, error) == 0)
        nanosleep(&pause, NULL);
    return code;
}

int crowd_end(struct crowd *crowd, struct error *error)
{
    int code;

    __atomic_store_n(&crowd->stop, 1, __ATOMIC_RELAXED);
    pthread_join(crowd->thread, NULL);
    code = crowd->code == -EINTR ? 0 : crowd->code;
    if (code)
        *error = crowd->error;
    crowd->lab->calls += crowd->answered;
    close_crowd(crowd);
    return code;
}
