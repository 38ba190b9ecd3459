/* The threads of a load, and the worker of engines that make one call at a time. The threads wait
 * between blocks. In a closed loop, the thread that runs a block is also a worker, so that a load
 * of one thread needs no other thread. In an open loop, that thread submits and collects blocks
 * while other threads make the calls (engine/block_queue.h). */
#include "engine/worker.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "common/cpu.h"
#include "common/thread.h"
#include "engine/block_queue.h"
#include "engine/silence.h"

/* The solo worker: one thread with one connection and one call at a time */

struct solo {
    const struct engine_config *config;
    struct engine *engine;
    unsigned client;
    void *result; /* this thread's own result, because all threads share the call */
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
    code = engine_open_single(&solo->engine, type, &own, error);
    if (code)
        free(solo);
    else
        *worker = (struct worker *)solo;
    return code;
}

static int own_result(struct solo *solo, struct engine_call *call, struct error *error)
{
    size_t size = call->procedure->result_size + 1; /* + 1: procedure NULL's result has 0 bytes */

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

static bool must_stop(const struct solo *solo, struct engine_work *work)
{
    return deadline_is_stopped(&solo->config->channel.deadline) ||
           atomic_load_explicit(&work->failed, memory_order_relaxed);
}

static int solo_run(struct worker *worker, struct engine_work *work, struct engine_samples *samples,
                    struct engine_tally *tally, struct error *error)
{
    struct solo *solo = (struct solo *)worker;
    size_t number, made = 0;
    int code = 0;

    while (code == 0 && work_take(work, 1, &number) == 1) {
        struct engine_step step = engine_step_of(work->call, number);
        struct engine_call call = *step.call;
        uint64_t ticks = 0, began, now;
        struct block block = {.count = 1, .ticks = &ticks};

        if (must_stop(solo, work))
            return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
        work_cut_if_late(work);
        call.first = step.variant;
        code = own_result(solo, &call, error);
        began = solo->config->clock->start();
        if (code == 0)
            code = engine_run(solo->engine, &call, &block, tally, error);
        if (code == -EBADMSG && !engine_ends_by_garbage(work->call, number)) {
            engine_count_error(tally, code);
            code = 0;
        }
        now = solo->config->clock->stop();
        if (code == 0 && work_is_steady(work, now))
            tally->steady_calls++;
        if (code == 0 && block.recorded == 1)
            samples_add(samples, (struct sample_of){solo->client, (uint32_t)number}, ticks, now);
        if (silence_is_noted(solo->config->clock, now - began))
            engine_gaps_keep(&tally->waits, &(struct engine_gap){began, now, 1});
        if (made++ == 0)
            work_note_first_reply(work, now);
    }
    work_ends(work, solo->config->clock->stop());
    return code;
}

static size_t solo_sockets(const struct worker *worker, int *fds, size_t room)
{
    return engine_sockets(((const struct solo *)worker)->engine, fds, room);
}

const struct worker_type worker_solo = {
    .depth_maximum = 1,
    .takes_steps = true,
    .one_connection = true,
    .open = solo_open,
    .run = solo_run,
    .close = solo_close,
    .sockets = solo_sockets,
};

/* The pool */

struct pool_worker {
    struct worker_pool *pool;
    unsigned index;
    pthread_t thread;
    bool started;
    struct worker *part;
    struct engine_samples samples;
    struct engine_tally tally;
    struct error error;
    int code; /* return value of the worker's latest run() */
};

struct worker_pool {
    struct engine engine;
    struct engine_config config;
    const struct engine_type *made_by; /* engine type that makes the calls */
    const struct worker_type *type;
    struct pool_worker *workers;
    unsigned count;
    struct engine_work work;
    struct block_queue queue; /* blocks of an open loop; unused in a closed loop */
    size_t timed;             /* calls from this number on leave no sample */
    _Atomic unsigned arrived; /* number of threads that are ready to begin the block or segment */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Number of the current block or segment. MUTEX protects BLOCK, RUNNING and ENDS. */
    uint64_t block;
    unsigned running; /* number of started threads that have not finished the block or segment */
    bool ends;
};

static void bind_thread(const struct worker_pool *pool, unsigned index)
{
    const struct load *load = &pool->config.load;

    if (load->cpu_count > 0)
        cpu_pin(load->cpus[index % load->cpu_count]);
}

/* Closed loop: blocks */

/* Wait until all threads are ready. Otherwise the first might make most of a block's calls. */
static void wait_for_others(struct worker_pool *pool)
{
    atomic_fetch_add(&pool->arrived, 1);
    while (atomic_load(&pool->arrived) < pool->count)
        sched_yield();
}

static void run_worker(struct pool_worker *worker)
{
    struct worker_pool *pool = worker->pool;

    wait_for_others(pool);
    worker->code = pool->type->run(worker->part, &pool->work, &worker->samples, &worker->tally,
                                   &worker->error);
    if (worker->code)
        atomic_store(&pool->work.failed, true);
}

static void *work_for_pool(void *argument)
{
    struct pool_worker *worker = argument;
    struct worker_pool *pool = worker->pool;
    uint64_t done = 0;

    bind_thread(pool, worker->index);
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (pool->block == done && !pool->ends)
            pthread_cond_wait(&pool->changed, &pool->mutex);
        if (pool->ends)
            break;
        done = pool->block;
        pthread_mutex_unlock(&pool->mutex);
        run_worker(worker);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->running == 0)
            pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void start_threads(struct worker_pool *pool, unsigned count)
{
    pthread_mutex_lock(&pool->mutex);
    pool->running = count;
    pool->block++;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
}

static void await_threads(struct worker_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->running > 0)
        pthread_cond_wait(&pool->changed, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

static void run_block(struct worker_pool *pool)
{
    if (pool->count > 1)
        start_threads(pool, pool->count - 1);
    run_worker(&pool->workers[0]);
    if (pool->count > 1)
        await_threads(pool);
}

static void free_samples(struct engine_samples *samples)
{
    free(samples->response);
    free(samples->done);
    free(samples->of);
    memset(samples, 0, sizeof *samples);
}

static int reserve_samples(struct engine_samples *samples, size_t count)
{
    if (samples->capacity >= count)
        return 0;
    free_samples(samples);
    samples->response = calloc(count, sizeof *samples->response);
    samples->done = calloc(count, sizeof *samples->done);
    samples->of = calloc(count, sizeof *samples->of);
    if (!samples->response || !samples->done || !samples->of)
        return -ENOMEM;
    samples->capacity = count;
    return 0;
}

/* Return whether a block of COUNT calls begins with a ramp, whose calls leave no sample. There is
 * no ramp if only one call is in flight, if COUNT is less than twice the number of calls in flight,
 * if the block has ops of several calls, or if it has several procedures (a rare procedure might
 * occur only in the ramp). */
static bool has_ramp(const struct load *load, const struct engine_call *call, size_t count)
{
    uint64_t in_flight = load_in_flight(load);

    return in_flight > 1 && count >= 2 * in_flight && !call->steps && !call->sequence;
}

static int begin_block(struct worker_pool *pool, const struct engine_call *call,
                       const struct block *block, struct error *error)
{
    const struct load *load = &pool->config.load;
    const size_t count = block->count;
    const bool ramp = has_ramp(load, call, count);

    for (unsigned i = 0; i < pool->count; i++) {
        struct pool_worker *worker = &pool->workers[i];

        if (reserve_samples(&worker->samples, count) != 0)
            return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a block");
        worker->samples.count = 0;
        worker->tally = (struct engine_tally){0};
    }
    pool->work.call = call;
    pool->work.count = count;
    pool->work.until_ns = block->until_ns;
    atomic_store(&pool->work.is_cut, false);
    pool->work.lead_in = ramp ? block->lead_in : 0;
    pool->timed = pool->work.lead_in ? count - load_in_flight(load) : count;
    atomic_store(&pool->work.next, 0);
    atomic_store(&pool->work.filling, load->clients * load->connections);
    atomic_store(&pool->work.from, ramp ? 0 : pool->config.clock->start());
    atomic_store(&pool->work.until, 0);
    atomic_store(&pool->work.failed, false);
    atomic_store(&pool->arrived, 0);
    return 0;
}

/* Copy those SAMPLES whose calls were sent at FROM or later and have numbers below END. (Selecting
 * by reply time would leave out slow calls more often than fast ones.) */
static void copy_samples(const struct engine_samples *samples, uint64_t from, size_t end,
                         struct block *block, struct engine_tally *tally)
{
    const uint64_t *response = samples->response;
    struct engine_detail *detail = tally->detail;

    for (size_t i = 0; i < samples->count; i++) {
        size_t at = block->recorded;

        if (samples->done[i] - response[i] < from || samples->of[i].number >= end)
            continue;
        block->ticks[at] = response[i];
        if (detail)
            detail->done[at] = samples->done[i];
        if (detail && detail->number)
            detail->number[at] = samples->of[i].number;
        if (tally->clients) {
            tally->clients[samples->of[i].client].calls++;
            tally->clients[samples->of[i].client].ticks += response[i];
        }
        block->recorded++;
    }
}

/* Copy the samples of the steady phase. If there are none, as when one thread was not scheduled
 * until the others had taken all calls, copy all samples of the block. */
static void copy_block_samples(const struct worker_pool *pool, struct block *block,
                               struct engine_tally *tally)
{
    uint64_t from = atomic_load(&pool->work.from);

    for (unsigned i = 0; i < pool->count && from; i++)
        copy_samples(&pool->workers[i].samples, from, pool->timed, block, tally);
    for (unsigned i = 0, nothing = block->recorded == 0; i < pool->count && nothing; i++)
        copy_samples(&pool->workers[i].samples, 0, pool->work.count, block, tally);
}

static void end_block(struct worker_pool *pool, struct block *block, struct engine_tally *tally)
{
    uint64_t from = atomic_load(&pool->work.from), until = atomic_load(&pool->work.until);

    block->is_cut = atomic_load(&pool->work.is_cut);
    block->steady_calls = 0;
    for (unsigned i = 0; i < pool->count; i++) {
        engine_tally_add(tally, &pool->workers[i].tally);
        block->steady_calls += pool->workers[i].tally.steady_calls;
    }
    copy_block_samples(pool, block, tally);
    block->steady_ticks = from && until > from ? until - from : 0;
    tally->steady_ticks += block->steady_ticks;
}

/* Return the code of a thread that failed, and copy its error; 0: none failed. A code other than
 * -EINTR is preferred, because a failure interrupts the other threads (-EINTR). */
static int find_error(const struct worker_pool *pool, struct error *error)
{
    const struct pool_worker *found = NULL;

    for (unsigned i = 0; i < pool->count; i++) {
        const struct pool_worker *worker = &pool->workers[i];

        if (worker->code && (!found || found->code == -EINTR))
            found = worker;
    }
    if (!found)
        return 0;
    *error = found->error;
    return found->code;
}

/* Open loop: segments */

static void begin_segment(struct worker_pool *pool)
{
    struct block_queue *queue = &pool->queue;

    await_threads(pool); /* because threads may not have left the previous segment yet */
    for (unsigned i = 0; i < pool->count; i++)
        pool->workers[i].tally = (struct engine_tally){0};
    queue->first = queue->oldest;
    queue->begins_with = queue->first->first;
    queue->begins = pool->config.clock->start();
    queue->previous_end = atomic_exchange(&pool->work.until, 0);
    atomic_store(&queue->ended, false);
    atomic_store(&pool->work.failed, false);
    atomic_store(&pool->work.filling, pool->config.load.clients * pool->config.load.connections);
    atomic_store(&pool->arrived, 0);
    start_threads(pool, pool->count);
}

static bool is_running(struct worker_pool *pool)
{
    bool running;

    pthread_mutex_lock(&pool->mutex);
    running = pool->running > 0;
    pthread_mutex_unlock(&pool->mutex);
    return running;
}

int worker_pool_submit(struct engine *engine, const struct engine_call *call, size_t count,
                       struct error *error)
{
    struct worker_pool *pool = (struct worker_pool *)engine;
    const bool begins = !pool->queue.oldest;

    if (block_queue_append(&pool->queue, call, count) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a block");
    if (begins)
        begin_segment(pool);
    return 0;
}

bool worker_pool_wants_block(const struct engine *engine)
{
    const struct worker_pool *pool = (const struct worker_pool *)engine;

    return block_queue_wants_block(&pool->queue);
}

void worker_pool_finish(struct engine *engine)
{
    struct worker_pool *pool = (struct worker_pool *)engine;

    atomic_store(&pool->queue.ended, true);
}

/* Wait for the segment's end. Drop the remaining blocks, which an error has cut short. Returns the
 * code of the error; 0: none. */
static int end_segment(struct worker_pool *pool, struct error *error)
{
    await_threads(pool);
    while (pool->queue.oldest)
        block_queue_drop(&pool->queue);
    return find_error(pool, error);
}

int worker_pool_collect(struct engine *engine, struct block *block, struct engine_tally *tally,
                        uint64_t wait_ns, struct error *error)
{
    struct worker_pool *pool = (struct worker_pool *)engine;
    struct block_queue *queue = &pool->queue;
    bool whole = block_queue_await(queue, wait_ns), last;

    if (!whole && is_running(pool))
        return -EAGAIN;
    whole = whole || block_queue_await(queue, 0); /* the threads may have ended in the meantime */
    last = !atomic_load(&queue->oldest->next) && atomic_load(&queue->ended);
    block_queue_collect(queue, block, tally);
    return whole && !last ? 0 : end_segment(pool, error);
}

static int run_segment(struct engine *engine, const struct engine_call *call, struct block *block,
                       struct engine_tally *tally, struct error *error)
{
    enum { WAIT_NS = 100 * 1000 * 1000 };
    int code = worker_pool_submit(engine, call, block->count, error);

    if (code)
        return code;
    worker_pool_finish(engine);
    do
        code = worker_pool_collect(engine, block, tally, WAIT_NS, error);
    while (code == -EAGAIN);
    return code;
}

static int worker_pool_run(struct engine *engine, const struct engine_call *call,
                           struct block *block, struct engine_tally *tally, struct error *error)
{
    struct worker_pool *pool = (struct worker_pool *)engine;
    int code;

    if (pool->work.queue)
        return run_segment(engine, call, block, tally, error);
    code = begin_block(pool, call, block, error);
    if (code)
        return code;
    run_block(pool);
    end_block(pool, block, tally);
    return find_error(pool, error);
}

/* Opening and closing */

static void worker_pool_close(struct engine *engine)
{
    struct worker_pool *pool = (struct worker_pool *)engine;

    if (pool->queue.oldest) { /* true: a block was not collected */
        atomic_store(&pool->work.failed, true);
        await_threads(pool);
    }
    pthread_mutex_lock(&pool->mutex);
    pool->ends = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->count; i++) {
        struct pool_worker *worker = &pool->workers[i];

        if (worker->started)
            pthread_join(worker->thread, NULL);
        if (worker->part)
            pool->type->close(worker->part);
        free_samples(&worker->samples);
    }
    if (pool->work.queue)
        block_queue_close(&pool->queue);
    pthread_mutex_destroy(&pool->mutex);
    pthread_cond_destroy(&pool->changed);
    free(pool->workers);
    free(pool);
}

static size_t worker_pool_sockets(const struct engine *engine, int *fds, size_t room)
{
    const struct worker_pool *pool = (const struct worker_pool *)engine;
    size_t count = 0;

    for (unsigned i = 0; i < pool->count && pool->type->sockets; i++) {
        const size_t workers = pool->count - i;

        count += pool->type->sockets(pool->workers[i].part, fds + count,
                                     (room - count + workers - 1) / workers);
    }
    return count;
}

static const struct engine_type engine_worker_pool = {
    .run = worker_pool_run, .close = worker_pool_close, .sockets = worker_pool_sockets};

/* Start a thread that receives no signals, so that the thread that runs the block gets them. */
static int start_thread(struct pool_worker *worker)
{
    int code = thread_start_without_signals(&worker->thread, work_for_pool, worker);

    worker->started = code == 0;
    return code;
}

static int start_workers(struct worker_pool *pool, struct error *error)
{
    int code = 0;

    for (unsigned i = 0; i < pool->count && code == 0; i++) {
        struct pool_worker *worker = &pool->workers[i];

        worker->pool = pool;
        worker->index = i;
        code = pool->type->open(&worker->part, pool->made_by, &pool->config, i, error);
        if (code == 0 && (i > 0 || pool->work.queue) && start_thread(worker) != 0)
            code = error_set(error, ERROR_FAILED, -EAGAIN,
                             "starting thread %u of %u: %s; see 'ulimit -u'", i + 1, pool->count,
                             strerror(EAGAIN));
    }
    return code;
}

int worker_pool_open(struct engine **engine, const struct engine_type *type,
                     const struct engine_config *config, struct error *error)
{
    struct worker_pool *pool = calloc(1, sizeof *pool);
    int code;

    if (pool)
        pool->workers = calloc(config->load.threads, sizeof *pool->workers);
    if (!pool || !pool->workers) {
        free(pool);
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %u threads",
                         config->load.threads);
    }
    pool->engine.type = &engine_worker_pool;
    pool->config = *config;
    pool->made_by = type;
    pool->type = type->worker ? type->worker : &worker_solo;
    pool->count = config->load.threads;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->changed, NULL);
    bind_thread(pool, 0);
    if (config->load.rate > 0)
        pool->work.queue = &pool->queue;
    if (pool->work.queue &&
        block_queue_open(&pool->queue, pool->count, config->load.rate, config->clock) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the blocks");
    else
        code = start_workers(pool, error);
    if (code)
        worker_pool_close(&pool->engine);
    else
        *engine = &pool->engine;
    return code;
}
