/* One thread's share of a load: its clients' connections, and the calls of a block that go over
 * them. How an engine makes calls under load is a share_type of its own. */
#ifndef NFSBENCH_ENGINE_SHARE_H
#define NFSBENCH_ENGINE_SHARE_H

#include "engine/connection.h"
#include "engine/engine.h"
#include "engine/work.h"

/* Which call a sample is of: its client, and its number in the block. */
struct sample_of {
    uint32_t client, number;
};

/* What the clock told of each call that was answered well at the first try, in ticks, and whose it
 * was; entries of one index belong together. */
struct engine_samples {
    uint64_t *response; /* from when it was to be sent to its reply: in a closed loop, as SERVICE */
    uint64_t *service;  /* from when it was sent; NULL in a closed loop */
    uint64_t *held;     /* that it was due and could not be sent; likewise */
    uint64_t *done;     /* when its reply was there */
    struct sample_of *of;
    size_t count, capacity;
};

struct share;

struct share_type {
    unsigned depth_maximum;
    bool open_loop;      /* can send at a rate */
    bool takes_steps;    /* can make calls of several procedures in one block */
    bool takes_batches;  /* can sleep until several replies are there */
    bool one_connection; /* a share has no more than one: as many threads as connections */
    /* Connect the clients of thread THREAD of CONFIG's load, for engine TYPE: those whose number
     * leaves that remainder when divided by the number of threads. */
    int (*open)(struct share **share, const struct engine_type *type,
                const struct engine_config *config, unsigned thread, struct error *error);
    /* Take calls of WORK and make them, until none is left. SAMPLES has room for all of them; which
     * count is decided when all shares are done, which run side by side. TALLY's clients and detail
     * are not to be touched. */
    int (*run)(struct share *share, struct engine_work *work, struct engine_samples *samples,
               struct engine_tally *tally, struct error *error);
    void (*close)(struct share *share);
};

/* That of engines which make one call at a time. */
extern const struct share_type share_solo;

/* Note a sample of a closed loop. */
static inline void samples_add(struct engine_samples *samples, struct sample_of of, uint64_t ticks,
                               uint64_t done)
{
    size_t at = samples->count++;

    samples->response[at] = ticks;
    samples->done[at] = done;
    samples->of[at] = of;
}

/* And one of an open loop: CALL was answered at DONE. */
static inline void samples_add_open(struct engine_samples *samples, struct sample_of of,
                                    const struct call_slot *call, uint64_t done)
{
    size_t at = samples->count;

    samples_add(samples, of, done - call->intended, done);
    samples->service[at] = done - call->submitted;
    samples->held[at] = call->held;
}

#endif
