/* Blocks of a run under load, and their additional measurements: each client's calls, the processor
 * time, a timeline and, in an open loop, service times and the sender's lateness. */
#pragma once

#include <stdint.h>

#include "common/error.h"
#include "common/memory.h"
#include "engine/engine.h"
#include "measure/histogram.h"
#include "measure/rounds.h"
#include "measure/timeline.h"

struct run_series;
struct series_set;

struct load_series {
    uint64_t calls;              /* number of calls in the measured rounds */
    uint64_t cpu_ns;             /* processor time in the blocks, ns: of this process or, in an open
                                    loop, of the threads that make the calls */
    struct load_client *clients; /* measurements of each client */
    struct histogram service;    /* in an open loop: time from when a call was sent to its reply */
    /* in an open loop: time from when a call was due to when it was sent, without the time for
     * which the call was held (enum load_hold) */
    struct histogram lateness;
    /* For an open loop. LEFT_OUT: number of calls without a sample, because the op had just
     * changed, or the block has its own schedule or follows an interruption (transition_ticks()).
     * IN_FLIGHT_AREA: integral of the number of calls in flight over the time IN_FLIGHT_TICKS, in
     * calls x ticks. */
    uint64_t left_out;
    double in_flight_area, in_flight_ticks;
    uint64_t interruptions, paused_ticks; /* number and total ticks of the schedule's interruptions
                                             before blocks of the series */
    struct timeline timeline;
};

struct load_run {
    struct series_set *set; /* NULL: the run has no load */
    struct engine_detail detail;
    /* for each sample of a block, ns. DONE_NS: when the reply came or, in an open loop, when the
     * call was due, since the start of the rounds. NS: latency. */
    double *done_ns, *ns;
    uint64_t *part, *spare; /* buffers to sort some of a block's latencies */
    uint64_t began_ticks;   /* start of the measured rounds; 0 during the warm-up */
    bool continuous;        /* one schedule runs through all blocks (load_run_submit()) */
    /* series of the last block; NULL if the schedule has just begun or was interrupted */
    const struct run_series *previous;
    bool interrupted; /* the schedule was interrupted before the block that is taken next */
    struct arena arena;
};

/* Allocate memory for SET's series; each series frees its own timeline. Returns 0 or -ENOMEM. */
int load_run_open(struct load_run *run, struct series_set *set, struct error *error);
void load_run_close(struct load_run *run);

void load_run_begin(struct load_run *run);

/* Make BLOCK with calls of SERIES that are like CALL. Returns 0; -EAGAIN if a submitted block is
 * still under way; or a negative errno with ERROR set. */
int load_run_block(struct load_run *run, struct run_series *series, const struct engine_call *call,
                   struct block *block, struct error *error);

/* Can one schedule run through all blocks? False for a closed loop, and if SET's series use several
 * engines; then each block is complete before the next block begins. */
bool load_run_is_continuous(const struct series_set *set);

/* With one schedule for all blocks: load_run_submit() submits a block of COUNT calls like CALL;
 * load_run_wants_block() returns whether it is time for another block; load_run_finish() tells the
 * engine that no block follows for now. load_run_block() takes the oldest submitted block, which
 * must belong to its SERIES, and returns -EAGAIN while that block is under way. */
int load_run_submit(struct load_run *run, const struct engine_call *call, size_t count,
                    struct error *error);
bool load_run_wants_block(const struct load_run *run);
void load_run_finish(const struct load_run *run);

/* Return the number of rounds, of ROUND_CALLS calls each, that are prepared together. The schedule
 * is interrupted for each preparation. 0: no round needs preparation. */
size_t load_run_rounds_ahead(const struct load_run *run, uint64_t round_calls);

/* Note that the schedule of RUN is interrupted, because all submitted blocks have been taken. */
void load_run_interrupt(struct load_run *run);

void load_run_end(struct load_run *run);
