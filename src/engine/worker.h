/* A worker: one thread of a load, with the connections of its clients and the calls that it makes
 * in a block. Each way in which an engine makes calls under load is a worker_type. */
#pragma once

#include "engine/engine.h"
#include "engine/wire/connection.h"
#include "engine/work.h"

/* The call that left a sample. CLIENT: number of its client. NUMBER: its number in the block. */
struct sample_of {
    uint32_t client, number;
};

/* Times of calls, in ticks. Index I of each array belongs to the same call. In a closed loop, the
 * pool selects those calls that leave a sample (see engine_run()). */
struct engine_samples {
    /* ticks to the call's reply, from when it was due (open loop) or sent (closed loop) */
    uint64_t *response;
    uint64_t *service; /* ticks from sending the call to its reply; NULL in a closed loop */
    /* ticks for which the call was due but could not be sent; NULL in a closed loop */
    uint64_t *held;
    uint64_t *done; /* time at which the reply had arrived */
    uint64_t *area; /* member AREA of struct scheduled_call; NULL in a closed loop */
    struct sample_of *of;
    size_t count, capacity;
};

struct worker;

struct worker_type {
    unsigned depth_maximum;
    bool open_loop;     /* true: can make an open loop */
    bool takes_steps;   /* true: can make calls of several procedures in a block */
    bool takes_batches; /* true: can sleep until several replies have arrived */
    /* true: each worker has one connection, so that there are as many threads as connections;
     * false: a worker can have any number. */
    bool one_connection;
    /* Open the connections of thread THREAD for an engine of TYPE. If ONE_CONNECTION is true, open
     * connection number THREAD of the load. If it is false, open the connections of all clients
     * whose number modulo the number of threads is THREAD. Returns as worker_pool_open(). */
    int (*open)(struct worker **worker, const struct engine_type *type,
                const struct engine_config *config, unsigned thread, struct error *error);
    /* Take calls of WORK and make them until none is left, or another worker fails. Several workers
     * run at the same time. SAMPLES has room for all calls of the block; the pool selects samples
     * afterwards. TALLY's clients and detail must not be changed. In an open loop, make the calls
     * of all blocks in WORK's queue. Each block has its own samples and tally; SAMPLES is not used,
     * and TALLY counts only events that belong to no block. Returns as engine_run(). */
    int (*run)(struct worker *worker, struct engine_work *work, struct engine_samples *samples,
               struct engine_tally *tally, struct error *error);
    void (*close)(struct worker *worker);
    /* Implements engine_sockets() for WORKER's connections. NULL: sockets are unknown. */
    size_t (*sockets)(const struct worker *worker, int *fds, size_t room);
};

/* The worker of engines that can only make one call at a time. */
extern const struct worker_type worker_solo;

/* Record a sample of a closed loop: call OF was answered at DONE, after TICKS. */
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

/* Open a worker pool: an engine that makes CONFIG's load with its number of threads. Each thread is
 * a worker of TYPE and makes the calls of some of the connections. The calling thread is bound to
 * the first of the load's processors, if there are any. Returns 0, or a negative errno with ERROR
 * set; for example -EMFILE if the process may not open so many connections. */
int worker_pool_open(struct engine **engine, const struct engine_type *type,
                     const struct engine_config *config, struct error *error);

/* Append a block of COUNT calls of CALL to the current segment of an open loop, or begin a segment
 * with it. Returns 0, or -ENOMEM with ERROR set. */
int worker_pool_submit(struct engine *engine, const struct engine_call *call, size_t count,
                       struct error *error);

/* Return whether another block should be submitted now, so that no call has to wait for it. */
bool worker_pool_wants_block(const struct engine *engine);

/* End the segment after the submitted blocks, whose calls are still made and awaited. */
void worker_pool_finish(struct engine *engine);

/* Wait at most WAIT_NS until the oldest block is finished or a worker asks for more calls. If the
 * block is not finished, returns -EAGAIN; if worker_pool_wants_block(), the caller should then
 * submit another block. If the block is finished, or an error has ended all workers, adds the
 * block's results to BLOCK and TALLY, removes the block, and returns as engine_run(). An error also
 * removes all later blocks. */
int worker_pool_collect(struct engine *engine, struct block *block, struct engine_tally *tally,
                        uint64_t wait_ns, struct error *error);
