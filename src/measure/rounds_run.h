/* The state of a measuring run beside its results: the memory for a round, and how many calls of
 * which series the round has. Internal to measure/rounds.c and measure/rounds_ahead.c. */
#pragma once

#include "common/random.h"
#include "measure/rounds.h"

/* The block of a series in the current round. */
struct rounds_current {
    size_t count;            /* calls */
    size_t recorded;         /* samples */
    uint64_t began, elapsed; /* CLOCK_MONOTONIC_RAW; ns */
    uint64_t preempted;      /* involuntary switches */
    double spacing, trend;   /* ns */
};

/* A block of an open loop that was submitted and not returned yet. */
struct rounds_submitted {
    size_t series, count;
    bool is_last; /* of its round */
};

/* The blocks of an open loop, which are submitted before those ahead of them are over
 * (measure/rounds_ahead.h). */
struct rounds_ahead {
    struct rounds_submitted *blocks; /* a ring */
    size_t capacity, first, count;
    size_t round;    /* being submitted, from 0; the warm-up's and the run's are counted together */
    size_t next;     /* place in ORDER of the next block to submit; 0: the round has not begun */
    size_t in_round; /* calls in a block of that round */
    size_t prepared; /* rounds before this number are prepared, if they need to be */
    size_t *calls;   /* of each series that were submitted since it was prepared */
    size_t warmup;   /* rounds from this number on are measured; SIZE_MAX: not known yet */
    size_t warmup_calls;
    bool ended;
    bool is_held; /* no more is submitted while processes agree on the number of rounds */
    int code;     /* that came of what was submitted while the source waited for other processes */
};

struct rounds_run {
    struct rounds *rounds;
    const struct rounds_plan *plan;
    const struct clock *clock;
    const struct block_source *source;
    struct error *error;
    struct random random;
    size_t planned;                 /* number of rounds, before the run ended early */
    size_t *order;                  /* of the series in the current round */
    uint64_t **ticks;               /* of each series: the current round's samples */
    uint64_t *room;                 /* for them */
    struct rounds_current *current; /* of each series */
    double *samples;                /* one block's, in ns */
    struct rounds_ahead ahead;
    uint64_t began_ns; /* CLOCK_MONOTONIC_RAW; when the measured rounds began */
    uint64_t *spare;   /* room to sort a block */
};

/* Allocate what RUN needs for a round of its plan, and begin the random order. Returns 0, or
 * -ENOMEM with its error set. Call rounds_run_close() in either case. */
int rounds_run_open(struct rounds_run *run);
void rounds_run_close(struct rounds_run *run);

/* Make room for the results of one more round. Returns 0, or -ENOMEM with RUN's error set. */
int rounds_run_reserve(struct rounds_run *run);

/* Draw the order of the next round's series: random, followed by the series that the plan puts
 * last. */
void rounds_run_order(struct rounds_run *run);

/* The number of calls in a block of measured round ROUND, from 0. The blocks of a series add up to
 * the plan's number of calls, and differ by at most one. */
size_t rounds_run_calls_in_round(const struct rounds_run *run, size_t round);

/* The number of calls in a block of SERIES, in a round whose blocks have COUNT calls unless the
 * plan gives their series another number. */
size_t rounds_run_calls_in_block(const struct rounds_run *run, size_t series, size_t count);

/* A step of series INDEX returned CODE. Returns CODE; or 0 if only this series was given up
 * (-ECANCELED), and the others go on. */
int rounds_run_give_up(struct rounds_run *run, size_t index, int code);
