/* The working state of a measuring run: the memory for one round, and the number of calls of each
 * series in the round. Internal to measure/rounds.c and measure/rounds_ahead.c. */
#pragma once

#include "common/random.h"
#include "measure/rounds.h"

/* The block of a series in the current round. */
struct rounds_current {
    size_t count;    /* number of calls */
    size_t recorded; /* number of samples */
    /* BEGAN: the block's begin, ns on CLOCK_MONOTONIC_RAW. ELAPSED: the block's duration, ns; in an
     * open loop, the time in which its calls were sent */
    uint64_t began, elapsed;
    uint64_t preempted;    /* involuntary_switches of struct slow_call */
    double spacing, trend; /* the block's BLOCK_SPACING and BLOCK_TREND, ns */
};

/* A submitted block of an open loop, not returned yet. COUNT 0: no calls, because its series had
 * been given up before. */
struct rounds_submitted {
    size_t series, count;
    bool is_last; /* the last block of its round */
};

/* The submitted blocks of an open loop (measure/rounds_ahead.h). */
struct rounds_ahead {
    struct rounds_submitted *blocks; /* a ring buffer */
    size_t capacity, first, count;
    size_t round;    /* round whose blocks are being submitted, from 0; warm-up rounds count, too */
    size_t next;     /* index in ORDER of the next block to submit; 0: the round has not begun */
    size_t in_round; /* argument COUNT of rounds_run_calls_in_block() in ROUND */
    size_t prepared; /* rounds below this number are prepared, if rounds need preparation */
    size_t *calls;   /* number of submitted calls of each series since the last preparation */
    size_t warmup;   /* number of warm-up rounds; SIZE_MAX: not known yet */
    size_t warmup_calls;
    bool ended;
    bool is_held; /* no block is submitted while processes agree on the number of rounds */
    int code; /* error of a submission that was made while the source waited for other processes */
};

struct rounds_run {
    struct rounds *rounds;
    const struct rounds_plan *plan;
    const struct clock *clock;
    const struct block_source *source;
    struct error *error;
    struct random random;
    size_t planned;   /* planned number of rounds; an early end of the run does not change it */
    size_t *order;    /* series in the order of the current round (open loop: of AHEAD's `round`) */
    uint64_t **ticks; /* samples of the current round, for each series */
    uint64_t *room;   /* the memory that TICKS points into */
    struct rounds_current *current; /* the blocks of the current round, one per series */
    double *samples;                /* the samples of one block, ns */
    struct rounds_ahead ahead;
    uint64_t began_ns; /* when the measured rounds began (CLOCK_MONOTONIC_RAW) */
    uint64_t *spare;   /* buffer for sorting a block's ticks */
};

/* Allocate the memory that RUN needs for a round of its plan, and seed the random order. Returns 0,
 * or -ENOMEM with RUN's error set. Call rounds_run_close() in either case. */
int rounds_run_open(struct rounds_run *run);
void rounds_run_close(struct rounds_run *run);

/* Make room for the results of one more round. Returns 0, or -ENOMEM with RUN's error set. */
int rounds_run_reserve(struct rounds_run *run);

/* Draw the next round's order of series: random, but the plan's FOLLOWS come last, in order. */
void rounds_run_order(struct rounds_run *run);

/* Return the number of calls in a block of measured round ROUND, from 0. Blocks differ by at most
 * one call, and add up to the plan's number of calls. Without such a number, return the plan's
 * BLOCK. */
size_t rounds_run_calls_in_round(const struct rounds_run *run, size_t round);

/* Return the number of calls in the block of SERIES: COUNT or, if the plan has BLOCKS,
 * COUNT * BLOCKS[SERIES] / BLOCK, rounded down; at least 1. */
size_t rounds_run_calls_in_block(const struct rounds_run *run, size_t series, size_t count);

/* Handle CODE, which a step of series INDEX returned. Returns CODE, or 0 if CODE is -ECANCELED:
 * only series INDEX is given up then. */
int rounds_run_give_up(struct rounds_run *run, size_t index, int code);
