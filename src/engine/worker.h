/* A worker: one thread's part of a load, with its clients' connections and the calls of a block
 * that go over them. Each way in which an engine makes calls under load is a worker_type. */
#pragma once

#include "engine/engine.h"
#include "engine/wire/connection.h"
#include "engine/work.h"

/* Which call a sample belongs to: its client, and its number in the block. */
struct sample_of {
    uint32_t client, number;
};

/* What the clock measured of each call that succeeded at the first attempt, in ticks, and which
 * call it was. Entries with the same index belong together. */
struct engine_samples {
    uint64_t *response; /* from when it was due to its reply; in a closed loop the same as
                         * SERVICE */
    uint64_t *service;  /* from when it was sent; NULL in a closed loop */
    uint64_t *held;     /* how long after it was due it could not be sent; NULL in a closed loop */
    uint64_t *done;     /* when its reply had arrived */
    uint64_t *area;     /* struct call_slot's area; NULL in a closed loop */
    struct sample_of *of;
    size_t count, capacity;
};

struct worker;

struct worker_type {
    unsigned depth_maximum;
    bool open_loop;      /* can send at a given rate */
    bool takes_steps;    /* can make calls of several procedures in one block */
    bool takes_batches;  /* can sleep until several replies have arrived */
    bool one_connection; /* a worker has one connection at most: there are as many threads as
                          * connections */
    /* Connect the clients of thread THREAD of CONFIG's load, for engine TYPE: those whose number,
     * divided by the number of threads, leaves the remainder THREAD. */
    int (*open)(struct worker **worker, const struct engine_type *type,
                const struct engine_config *config, unsigned thread, struct error *error);
    /* Take calls of WORK and make them, until none is left. Several workers run at the same time.
     * SAMPLES has room for all calls of the block; which of them count is decided when all workers
     * have finished. Don't touch TALLY's clients and detail. In an open loop, make the calls of all
     * blocks of WORK's queue; SAMPLES and TALLY are not used, as each block has its own. */
    int (*run)(struct worker *worker, struct engine_work *work, struct engine_samples *samples,
               struct engine_tally *tally, struct error *error);
    void (*close)(struct worker *worker);
    /* What engine_sockets() does, for the connections of WORKER. NULL: it can't tell. */
    size_t (*sockets)(const struct worker *worker, int *fds, size_t room);
};

/* The worker of engines that make one call at a time. */
extern const struct worker_type worker_solo;

/* Record a sample of a closed loop. */
static inline void samples_add(struct engine_samples *samples, struct sample_of of, uint64_t ticks,
                               uint64_t done)
{
    size_t at = samples->count++;

    samples->response[at] = ticks;
    samples->done[at] = done;
    samples->of[at] = of;
}

/* Record a sample of an open loop: CALL was answered at DONE. */
static inline void samples_add_open(struct engine_samples *samples, struct sample_of of,
                                    const struct call_slot *call, uint64_t done)
{
    size_t at = samples->count;

    samples_add(samples, of, done - call->scheduled->due, done);
    samples->service[at] = done - call->submitted;
    samples->held[at] = call->scheduled->held;
    samples->area[at] = call->scheduled->area;
}

/* A worker pool: an engine that makes CONFIG's load with several threads, each of which serves some
 * of the connections in TYPE's way. Returns 0, or a negative errno with ERROR set: -EMFILE and the
 * like where there are more connections than the process may open. */
int worker_pool_open(struct engine **engine, const struct engine_type *type,
                     const struct engine_config *config, struct error *error);

/* Of an engine whose load has a rate: append a block of COUNT calls like CALL to the segment, or
 * begin a segment with it. Returns 0 or -ENOMEM with ERROR set. */
int worker_pool_submit(struct engine *engine, const struct engine_call *call, size_t count,
                       struct error *error);

/* Should another block be submitted now, so that no call has to wait for it? */
bool worker_pool_wants_block(const struct engine *engine);

/* No more blocks follow in the segment. Its calls are still made, and their replies awaited. */
void worker_pool_finish(struct engine *engine);

/* Wait until all calls of the oldest block have an outcome, for WAIT_NS at most, and set BLOCK and
 * TALLY as engine_run() does. Returns what engine_run() returns; or -EAGAIN if they have none yet,
 * or if another block should be submitted. After another error the segment is over. */
int worker_pool_collect(struct engine *engine, struct block *block, struct engine_tally *tally,
                        uint64_t wait_ns, struct error *error);
