/* The threads wait between blocks; the one that asks for a block has a share, too, so that a load
 * of one thread is made without any other. */
#include "engine/crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/cpu.h"
#include "engine/share.h"

struct worker {
    struct crew *crew;
    unsigned index;
    pthread_t thread;
    bool started;
    struct share *share;
    struct engine_samples samples;
    struct engine_tally tally;
    struct error error;
    int code; /* of the last block */
};

struct crew {
    struct engine engine;
    struct engine_config config;
    const struct engine_type *made_by; /* the engine whose way of calling it is */
    const struct share_type *type;
    struct worker *workers;
    unsigned count;
    struct engine_work work;
    _Atomic unsigned arrived; /* threads that are ready to begin it */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t block;   /* number of the present one; under MUTEX, as the next three are */
    unsigned running; /* threads that have not done with it */
    bool ends;
};

static void bind_thread(const struct crew *crew, unsigned index)
{
    const struct load *load = &crew->config.load;

    if (load->cpu_count > 0)
        cpu_pin(load->cpus[index % load->cpu_count]);
}

/* A block */

/* A common start: else the first to wake up would make most of a short block's calls alone. */
static void wait_for_others(struct crew *crew)
{
    atomic_fetch_add(&crew->arrived, 1);
    while (atomic_load(&crew->arrived) < crew->count)
        sched_yield();
}

static void run_share(struct worker *worker)
{
    struct crew *crew = worker->crew;

    wait_for_others(crew);
    worker->code = crew->type->run(worker->share, &crew->work, &worker->samples, &worker->tally,
                                   &worker->error);
    if (worker->code)
        atomic_store(&crew->work.failed, true);
}

static void *work_for_crew(void *argument)
{
    struct worker *worker = argument;
    struct crew *crew = worker->crew;
    uint64_t done = 0;

    bind_thread(crew, worker->index);
    pthread_mutex_lock(&crew->mutex);
    for (;;) {
        while (crew->block == done && !crew->ends)
            pthread_cond_wait(&crew->changed, &crew->mutex);
        if (crew->ends)
            break;
        done = crew->block;
        pthread_mutex_unlock(&crew->mutex);
        run_share(worker);
        pthread_mutex_lock(&crew->mutex);
        if (--crew->running == 0)
            pthread_cond_broadcast(&crew->changed);
    }
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

static void run_block(struct crew *crew)
{
    if (crew->count > 1) {
        pthread_mutex_lock(&crew->mutex);
        crew->running = crew->count - 1;
        crew->block++;
        pthread_cond_broadcast(&crew->changed);
        pthread_mutex_unlock(&crew->mutex);
    }
    run_share(&crew->workers[0]);
    if (crew->count > 1) {
        pthread_mutex_lock(&crew->mutex);
        while (crew->running > 0)
            pthread_cond_wait(&crew->changed, &crew->mutex);
        pthread_mutex_unlock(&crew->mutex);
    }
}

static void free_samples(struct engine_samples *samples)
{
    free(samples->response);
    free(samples->service);
    free(samples->held);
    free(samples->done);
    free(samples->of);
    memset(samples, 0, sizeof *samples);
}

/* Room for all calls of the block in each share: any may take them. */
static int reserve(struct engine_samples *samples, size_t count, bool open_loop)
{
    if (samples->capacity >= count)
        return 0;
    free_samples(samples);
    samples->response = calloc(count, sizeof *samples->response);
    samples->service = open_loop ? calloc(count, sizeof *samples->service) : NULL;
    samples->held = open_loop ? calloc(count, sizeof *samples->held) : NULL;
    samples->done = calloc(count, sizeof *samples->done);
    samples->of = calloc(count, sizeof *samples->of);
    if (!samples->response || !samples->done || !samples->of ||
        (open_loop && (!samples->service || !samples->held)))
        return -ENOMEM;
    samples->capacity = count;
    return 0;
}

static int begin_block(struct crew *crew, const struct engine_call *call, size_t count,
                       struct error *error)
{
    const struct load *load = &crew->config.load;
    uint64_t in_flight = load_in_flight(load);
    /* Of several procedures, one may be there once, and early. */
    bool ramp = load->rate == 0 && in_flight > 1 && count >= 2 * in_flight && !call->steps;

    for (unsigned i = 0; i < crew->count; i++) {
        struct worker *worker = &crew->workers[i];

        if (reserve(&worker->samples, count, load->rate > 0) != 0)
            return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a block");
        worker->samples.count = 0;
        worker->tally = (struct engine_tally){0};
    }
    crew->work.call = call;
    crew->work.count = count;
    crew->work.open_loop = load->rate > 0;
    atomic_store(&crew->work.next, 0);
    atomic_store(&crew->work.filling, load->clients * load->connections);
    atomic_store(&crew->work.from, ramp ? 0 : crew->config.clock->start());
    crew->work.previous_end = atomic_exchange(&crew->work.until, 0);
    atomic_store(&crew->work.failed, false);
    atomic_store(&crew->arrived, 0);
    return 0;
}

/* Take those calls of SAMPLES that were sent at FROM or later. */
static void take_samples(const struct engine_samples *samples, uint64_t from, uint64_t *ticks,
                         size_t *recorded, struct engine_tally *tally)
{
    const uint64_t *service = samples->service ? samples->service : samples->response;
    struct engine_detail *detail = tally->detail;

    for (size_t i = 0; i < samples->count; i++) {
        size_t at = *recorded;

        if (samples->done[i] - service[i] < from)
            continue;
        ticks[at] = samples->response[i];
        if (detail)
            detail->done[at] = samples->done[i];
        if (detail && detail->number)
            detail->number[at] = samples->of[i].number;
        if (detail && samples->service) {
            detail->service[at] = samples->service[i];
            detail->held[at] = samples->held[i];
        }
        if (tally->clients) {
            tally->clients[samples->of[i].client].calls++;
            tally->clients[samples->of[i].client].ticks += service[i];
        }
        (*recorded)++;
    }
}

/* The samples of the steady part; of the whole block where that is empty, as when a thread did not
 * come to run until the others had taken all calls. */
static void take_all_samples(const struct crew *crew, uint64_t *ticks, size_t *recorded,
                             struct engine_tally *tally)
{
    uint64_t from = atomic_load(&crew->work.from);

    for (unsigned i = 0; i < crew->count && from; i++)
        take_samples(&crew->workers[i].samples, from, ticks, recorded, tally);
    for (unsigned i = 0, nothing = *recorded == 0; i < crew->count && nothing; i++)
        take_samples(&crew->workers[i].samples, 0, ticks, recorded, tally);
}

static void end_block(struct crew *crew, uint64_t *ticks, size_t *recorded,
                      struct engine_tally *tally)
{
    uint64_t from = atomic_load(&crew->work.from), until = atomic_load(&crew->work.until);

    for (unsigned i = 0; i < crew->count; i++)
        engine_tally_add(tally, &crew->workers[i].tally);
    take_all_samples(crew, ticks, recorded, tally);
    if (from && until > from)
        tally->steady_ticks += until - from;
}

/* The error that began it: the others' threads were only told to end. */
static int find_error(const struct crew *crew, struct error *error)
{
    const struct worker *found = NULL;

    for (unsigned i = 0; i < crew->count; i++) {
        const struct worker *worker = &crew->workers[i];

        if (worker->code && (!found || found->code == -EINTR))
            found = worker;
    }
    if (!found)
        return 0;
    *error = found->error;
    return found->code;
}

static int crew_run(struct engine *engine, const struct engine_call *call, size_t count,
                    uint64_t *ticks, size_t *recorded, struct engine_tally *tally,
                    struct error *error)
{
    struct crew *crew = (struct crew *)engine;
    int code = begin_block(crew, call, count, error);

    if (code)
        return code;
    run_block(crew);
    end_block(crew, ticks, recorded, tally);
    return find_error(crew, error);
}

/* Opening and closing */

static void crew_close(struct engine *engine)
{
    struct crew *crew = (struct crew *)engine;

    pthread_mutex_lock(&crew->mutex);
    crew->ends = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
    for (unsigned i = 0; i < crew->count; i++) {
        struct worker *worker = &crew->workers[i];

        if (worker->started)
            pthread_join(worker->thread, NULL);
        if (worker->share)
            crew->type->close(worker->share);
        free_samples(&worker->samples);
    }
    pthread_mutex_destroy(&crew->mutex);
    pthread_cond_destroy(&crew->changed);
    free(crew->workers);
    free(crew);
}

static const struct engine_type engine_crew = {.run = crew_run, .close = crew_close};

/* Signals are for the thread that asked for the block. */
static int start_thread(struct worker *worker)
{
    sigset_t all, before;
    int code;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&worker->thread, NULL, work_for_crew, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    worker->started = code == 0;
    return -code;
}

static int start_workers(struct crew *crew, struct error *error)
{
    int code = 0;

    for (unsigned i = 0; i < crew->count && code == 0; i++) {
        struct worker *worker = &crew->workers[i];

        worker->crew = crew;
        worker->index = i;
        code = crew->type->open(&worker->share, crew->made_by, &crew->config, i, error);
        if (code == 0 && i > 0 && start_thread(worker) != 0)
            code = error_set(error, ERROR_FAILED, -EAGAIN,
                             "thread %u of %u can't be started: %s; see 'ulimit -u'", i + 1,
                             crew->count, strerror(EAGAIN));
    }
    return code;
}

int crew_open(struct engine **engine, const struct engine_type *type,
              const struct engine_config *config, struct error *error)
{
    struct crew *crew = calloc(1, sizeof *crew);
    int code;

    if (crew)
        crew->workers = calloc(config->load.threads, sizeof *crew->workers);
    if (!crew || !crew->workers) {
        free(crew);
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %u threads",
                         config->load.threads);
    }
    crew->engine.type = &engine_crew;
    crew->config = *config;
    crew->made_by = type;
    crew->type = type->share ? type->share : &share_solo;
    crew->count = config->load.threads;
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->changed, NULL);
    bind_thread(crew, 0);
    code = start_workers(crew, error);
    if (code)
        crew_close(&crew->engine);
    else
        *engine = &crew->engine;
    return code;
}
