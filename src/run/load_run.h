/* What a run under load records in addition to any run: the steady rate, each client's part, the
 * processor time and, in an open loop, the sender's lateness. */
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
    uint64_t calls;              /* without the warm-up */
    uint64_t cpu_ns;             /* of the client's process during them */
    struct load_client *clients; /* what each client contributed */
    struct histogram service;    /* open loop: from when a call was sent to its reply */
    struct histogram lateness;   /* open loop: from when it was due to when it was sent */
    /* Open loop: calls that leave no sample because another op's calls were in flight until shortly
     * before; calls in flight times ticks, summed up over so many ticks. */
    uint64_t left_out;
    double in_flight_area, in_flight_ticks;
    uint64_t interruptions, paused_ticks; /* of the schedule, before blocks of the series */
    struct timeline timeline;
};

struct load_run {
    struct series_set *set; /* NULL: no load */
    struct engine_detail detail;
    double *done_ns, *ns;              /* a block's calls, for the timeline */
    uint64_t *part, *spare;            /* some of them, sorted */
    uint64_t began_ticks;              /* start of the measured rounds */
    bool continuous;                   /* one schedule runs through the blocks (load_run_submit) */
    const struct run_series *previous; /* whose block was last; NULL: none since the schedule began
                                        * or was interrupted */
    bool interrupted;                  /* before the next block to be taken */
    struct arena arena;                /* all of this, and of the series */
};

/* Allocate what the series of SET need; each series frees its timeline. Returns 0, or -ENOMEM with
 * ERROR set. */
int load_run_open(struct load_run *run, struct series_set *set, struct error *error);
void load_run_close(struct load_run *run);

/* Note that the warm-up is over. */
void load_run_begin(struct load_run *run);

/* Make a block of SERIES from CALL, with engine_run(). */
int load_run_block(struct load_run *run, struct run_series *series, const struct engine_call *call,
                   struct block *block, struct error *error);

/* Does one schedule run through the blocks of an open loop? Not through those of several engines,
 * each of which has a schedule of its own: then each block is followed by an interruption, until
 * its replies have come. */
bool load_run_is_continuous(const struct series_set *set);

/* If it does: submit a block of COUNT calls like CALL; is it time to submit another; no more follow
 * for now. load_run_block() then takes the block that was submitted first and not taken yet, which
 * must be of its series; it returns -EAGAIN while that is under way. */
int load_run_submit(struct load_run *run, const struct engine_call *call, size_t count,
                    struct error *error);
bool load_run_wants_block(const struct load_run *run);
void load_run_finish(const struct load_run *run);

/* How many rounds, of ROUND_CALLS calls each, are prepared together, since the schedule is
 * interrupted for it. 0: none needs preparation. */
size_t load_run_rounds_ahead(const struct load_run *run, uint64_t round_calls);

/* The schedule is interrupted: all blocks that were submitted have been taken. */
void load_run_interrupt(struct load_run *run);

/* Note that the last block has been made. */
void load_run_end(struct load_run *run);
