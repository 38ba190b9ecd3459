/* Additional measurements of a run under load: the steady rate, each client's share, the processor
 * time and, in an open loop, the sender's lateness. */
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
    uint64_t calls;              /* number of calls, warm-up excluded */
    uint64_t cpu_ns;             /* processor time of the client's process during CALLS */
    struct load_client *clients; /* measurements of each client */
    struct histogram service;    /* open loop: time from sending a call to its reply */
    struct histogram lateness;   /* open loop: time from when a call was due to when it was sent */
    /* Open loop. LEFT_OUT: calls that leave no sample because calls of another op were in flight
     * shortly before, or because the schedule had just been resumed. IN_FLIGHT_AREA: sum of (calls
     * in flight x ticks); IN_FLIGHT_TICKS: number of ticks in this sum. */
    uint64_t left_out;
    double in_flight_area, in_flight_ticks;
    uint64_t interruptions, paused_ticks; /* interruptions of the schedule before blocks of the
                                             series, and their ticks */
    struct timeline timeline;
};

struct load_run {
    struct series_set *set; /* NULL: the run has no load */
    struct engine_detail detail;
    double *done_ns, *ns;   /* time and latency of a block's calls, for the timeline */
    uint64_t *part, *spare; /* buffers to sort some of a block's latencies */
    uint64_t began_ticks;   /* start of the measured rounds */
    bool continuous;        /* one schedule runs through all blocks (load_run_submit()) */
    /* The series of the last block; NULL if the schedule has just begun or was interrupted. */
    const struct run_series *previous;
    bool interrupted; /* the schedule was interrupted before the block that is taken next */
    struct arena arena;
};

/* Allocate memory for SET's series; each series frees its own timeline. Returns 0 or -ENOMEM. */
int load_run_open(struct load_run *run, struct series_set *set, struct error *error);
void load_run_close(struct load_run *run);

/* Note that the warm-up of RUN is over. */
void load_run_begin(struct load_run *run);

/* Make a BLOCK of SERIES with engine_run(CALL). Returns 0, or a negative errno with ERROR set. */
int load_run_block(struct load_run *run, struct run_series *series, const struct engine_call *call,
                   struct block *block, struct error *error);

/* Does one schedule run through all blocks of SET's open loop? If the series use several engines,
 * each has its own schedule, and each block ends with an interruption until its replies arrive. */
bool load_run_is_continuous(const struct series_set *set);

/* With one schedule for all blocks: load_run_submit() submits a block of COUNT calls like CALL;
 * load_run_wants_block() returns whether it is time for another block; load_run_finish() notes that
 * no block follows for now. load_run_block() then takes the oldest submitted block, which must be
 * of its series, and returns -EAGAIN while that block is under way. */
int load_run_submit(struct load_run *run, const struct engine_call *call, size_t count,
                    struct error *error);
bool load_run_wants_block(const struct load_run *run);
void load_run_finish(const struct load_run *run);

/* Return the number of rounds, of ROUND_CALLS calls each, that are prepared together. Preparation
 * interrupts the schedule. 0: no round needs preparation. */
size_t load_run_rounds_ahead(const struct load_run *run, uint64_t round_calls);

/* Note that the schedule of RUN is interrupted, because all submitted blocks have been taken. */
void load_run_interrupt(struct load_run *run);

/* Note that the last block of RUN has been made. */
void load_run_end(struct load_run *run);
