#include "characterize/crowd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/deadline.h"
#include "common/memory.h"

enum {
    BACKGROUND_BLOCKS = 64, /* calls in a background block, as a multiple of the queue depth */
    LOOK_NS = 20 * 1000,    /* interval of checking whether the first calls are answered */
};

/* Calls */

static void free_calls(void *context)
{
    struct crowd_calls *calls = context;

    for (size_t i = 0; i < calls->variants; i++)
        free(calls->messages[i].bytes);
    free(calls->messages);
}

void crowd_calls_make(struct crowd_calls *calls, struct lab *lab, const char *op, size_t count,
                      void (*fill)(void *context, size_t number, union nfs_arguments *arguments),
                      void *context)
{
    *calls = (struct crowd_calls){.op = op, .messages = calloc(count, sizeof *calls->messages)};
    if (!calls->messages) {
        lab_own(lab, NULL, free_calls);
        return;
    }
    lab_own(lab, calls, free_calls);
    while (calls->variants < count && lab->code == 0) {
        union nfs_arguments arguments;

        memset(&arguments, 0, sizeof arguments);
        fill(context, calls->variants, &arguments);
        lab->code =
            rpc_message_make(&calls->messages[calls->variants], &nfs_procedure_find(op)->rpc,
                             &lab->plan->run.identity, &arguments, &lab->error);
        calls->variants += lab->code == 0;
    }
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
        options.deadline.stop = stop;
    config.channel = setup_secure(&lab->setup, SERVICE_NFS, &options);
    crowd->lab = lab;
    return engine_open(&crowd->engine, &engine_wire, &config, error);
}

static void close_crowd(void *context)
{
    struct crowd *crowd = context;

    engine_close(crowd->engine);
    free(crowd->block.ticks);
}

void crowd_open(struct crowd *crowd, struct lab *lab, unsigned connections, unsigned depth)
{
    *crowd = (struct crowd){.capacity = 0};
    if (lab->code == 0)
        lab->code = open_engine(crowd, lab, connections, depth, NULL, &lab->error);
    if (lab->code == 0)
        lab_own(lab, crowd, close_crowd);
}

static int check_status(const void *context, struct wire_reader *reader)
{
    uint32_t status = wire_get_u32(reader);

    (void)context;
    reader->at = reader->end; /* skip the rest of the result */
    return reader->failed || status > INT32_MAX ? -EBADMSG : (int)status;
}

static int reserve_ticks(struct crowd *crowd, size_t count, struct error *error)
{
    if (array_reserve(&crowd->block.ticks, &crowd->capacity, count, sizeof *crowd->block.ticks) ==
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
        return lab_refuse(op, (nfsstat3)status, error);
    return error_set(error, ERROR_FAILED, -EPROTO, "%s was answered by an RPC error",
                     nfs_procedure_find(op)->rpc.name);
}

static int run_crowd_block(struct crowd *crowd, const struct crowd_calls *calls, size_t count,
                           struct error *error)
{
    const struct engine_call call = {.procedure = &nfs_procedure_find(calls->op)->rpc,
                                     .identity = &crowd->lab->plan->run.identity,
                                     .variants = calls->variants,
                                     .messages = calls->messages,
                                     .check = check_status};
    struct engine_tally tally = {.failed = 0};
    int code = reserve_ticks(crowd, count, error);

    crowd->block.count = count;
    if (code == 0)
        code = engine_run(crowd->engine, &call, &crowd->block, &tally, error);
    return code ? code : check_tally(calls->op, &tally, error);
}

uint64_t crowd_run(struct crowd *crowd, const struct crowd_calls *calls, size_t count)
{
    struct lab *lab = crowd->lab;
    uint64_t started;

    if (!lab_goes_on(lab))
        return 0;
    lab->calls += count;
    started = lab->clock.start();
    lab->code = run_crowd_block(crowd, calls, count, &lab->error);
    return lab->clock.stop() - started;
}

/* Calls in the background */

/* Make COUNT calls. Calls that crowd_end() interrupts are not counted. */
static void run_counted(struct crowd *crowd, size_t count)
{
    crowd->code = run_crowd_block(crowd, &crowd->calls, count, &crowd->error);
    if (crowd->code == 0)
        crowd->answered += crowd->block.recorded;
}

/* Make blocks of calls until STOP. The first block fills the queue and has as many calls again. */
static void *run_blocks(void *context)
{
    struct crowd *crowd = context;

    run_counted(crowd, (size_t)2 * crowd->depth);
    atomic_store(&crowd->is_busy, true);
    while (crowd->code == 0 && !__atomic_load_n(&crowd->stop, __ATOMIC_RELAXED))
        run_counted(crowd, crowd->capacity);
    return NULL;
}

bool crowd_begin(struct crowd *crowd, struct lab *lab, unsigned depth,
                 const struct crowd_calls *calls)
{
    *crowd = (struct crowd){.calls = *calls, .depth = depth};
    if (lab->code == 0)
        lab->code = open_engine(crowd, lab, 1, depth, &crowd->stop, &lab->error);
    if (lab->code == 0)
        lab->code = reserve_ticks(crowd, (size_t)BACKGROUND_BLOCKS * depth, &lab->error);
    if (lab->code == 0 && pthread_create(&crowd->thread, NULL, run_blocks, crowd) != 0)
        lab->code = error_set(&lab->error, ERROR_FAILED, -EAGAIN, "starting a thread failed");
    if (lab->code) {
        close_crowd(crowd);
        return false;
    }
    while (!atomic_load(&crowd->is_busy) && lab_goes_on(lab))
        deadline_pause(LOOK_NS);
    return true;
}

void crowd_end(struct crowd *crowd)
{
    struct lab *lab = crowd->lab;

    __atomic_store_n(&crowd->stop, 1, __ATOMIC_RELAXED);
    pthread_join(crowd->thread, NULL);
    if (lab->code == 0 && crowd->code && crowd->code != -EINTR) {
        lab->code = crowd->code;
        lab->error = crowd->error;
    }
    lab->calls += crowd->answered;
    close_crowd(crowd);
}
