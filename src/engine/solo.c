/* The worker for engines that make one call at a time: one connection and one thread, which takes a
 * call when the one before it is answered. */
#include <errno.h>
#include <stdlib.h>

#include "engine/worker.h"

struct solo {
    const struct engine_config *config;
    struct engine *engine;
    unsigned client;
    void *result; /* the thread's own, because all threads use the same call */
    size_t result_size;
};

static void solo_close(struct worker *worker)
{
    struct solo *solo = (struct solo *)worker;

    engine_close(solo->engine);
    free(solo->result);
    free(solo);
}

static int solo_open(struct worker **worker, const struct engine_type *type,
                     const struct engine_config *config, unsigned thread, struct error *error)
{
    struct solo *solo = calloc(1, sizeof *solo);
    struct engine_config own = *config;
    int code;

    if (!solo)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    solo->config = config;
    solo->client = thread / config->load.connections;
    own.load = (struct load){.clients = 1, .connections = 1, .depth = 1, .threads = 1};
    code = engine_open(&solo->engine, type, &own, error);
    if (code)
        free(solo);
    else
        *worker = (struct worker *)solo;
    return code;
}

/* Allocate a result of the thread's own. */
static int own_result(struct solo *solo, struct engine_call *call, struct error *error)
{
    size_t size = call->procedure->result_size + 1; /* the result of procedure NULL is empty */

    if (solo->result_size < size) {
        free(solo->result);
        solo->result = calloc(1, size);
        solo->result_size = solo->result ? size : 0;
    }
    if (!solo->result)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a result");
    call->result = solo->result;
    return 0;
}

static bool is_told_to_end(const struct solo *solo, struct engine_work *work)
{
    return channel_is_stopped(&solo->config->channel) ||
           atomic_load_explicit(&work->failed, memory_order_relaxed);
}

static int solo_run(struct worker *worker, struct engine_work *work, struct engine_samples *samples,
                    struct engine_tally *tally, struct error *error)
{
    struct solo *solo = (struct solo *)worker;
    size_t number, made = 0;
    int code = 0;

    while (code == 0 && work_take(work, 1, &number) == 1) {
        struct engine_step step = work_step(work, number);
        struct engine_call call = *step.call;
        uint64_t ticks = 0, now;
        struct block block = {.count = 1, .ticks = &ticks};

        if (is_told_to_end(solo, work))
            return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
        call.first = step.variant;
        code = own_result(solo, &call, error);
        if (code == 0)
            code = engine_run(solo->engine, &call, &block, tally, error);
        if (code == -EBADMSG && !work_ends_by_garbage(work, number)) {
            engine_count_error(tally, code);
            code = 0;
        }
        now = solo->config->clock->stop();
        if (code == 0 && work_is_steady(work, now))
            tally->steady_calls++;
        if (code == 0 && block.recorded == 1)
            samples_add(samples, (struct sample_of){solo->client, (uint32_t)number}, ticks, now);
        if (made++ == 0)
            work_one_is_filled(work, now);
    }
    work_ends(work, solo->config->clock->stop());
    return code;
}

const struct worker_type worker_solo = {
    .depth_maximum = 1,
    .takes_steps = true,
    .one_connection = true,
    .open = solo_open,
    .run = solo_run,
    .close = solo_close,
};
