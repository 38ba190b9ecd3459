/* The measuring run: rounds of blocks.
 *
 * A series is a run's calls of one procedure (the null baseline, its control, and each op). A
 * block is BLOCK calls of one series, uninterrupted. A round is one block of every series, in an
 * order drawn afresh from the seed, so that whatever drifts on the machine meets every series
 * alike, and differences within a round are clean of it. Nothing here knows a socket: blocks come
 * from a function that is handed in. */
#ifndef NFSBENCH_MEASURE_ROUNDS_H
#define NFSBENCH_MEASURE_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "measure/clock.h"
#include "measure/histogram.h"

enum {
    ROUNDS_BLOCK = 100,          /* calls in a block by default */
    ROUNDS_WARMUP_WINDOW = 5,    /* rounds in a warm-up window */
    ROUNDS_WARMUP_MAXIMUM = 100, /* rounds of warm-up at most */
    ROUNDS_SLOWEST = 8,          /* calls of a series that are kept by themselves */
};

/* What is kept of each block of a series: one value a round. */
enum block_statistic {
    BLOCK_TRIMMED_MEAN, /* 10 % cut from each end */
    BLOCK_P50,
    BLOCK_P90,
    BLOCK_P99,
    BLOCK_MEAN, /* of all its calls */
    BLOCK_STATISTICS,
};

/* One of a series' slowest calls, and where to look for the reason. */
struct slow_call {
    double ns;
    size_t round;                  /* from 0 */
    size_t position;               /* among the timed calls of its block, from 0 */
    uint64_t block_began_ns;       /* CLOCK_MONOTONIC_RAW */
    uint64_t involuntary_switches; /* of this thread, during its block */
    unsigned rank;                 /* that made it, where several did; else 0 */
};

struct series {
    struct histogram histogram;               /* of every timed call, in ns */
    double *blocks[BLOCK_STATISTICS];         /* per round, in ns */
    uint64_t calls;                           /* issued, failed ones included, warm-up excluded */
    uint64_t elapsed_ns;                      /* spent in this series' blocks, in total */
    struct slow_call slowest[ROUNDS_SLOWEST]; /* slowest first */
    size_t slowest_count;
};

/* A block that is being made. */
struct block {
    size_t count;    /* of its calls */
    uint64_t *ticks; /* of each that succeeded at the first try; room for all */
    size_t recorded; /* how many these are: 0 to COUNT */
};

/* Where blocks come from. */
struct block_source {
    /* Make the calls of BLOCK, of series SERIES, and fill in its ticks and their number. A failed
     * call is counted by the source and the block goes on; a return other than 0 (-EINTR:
     * interrupted by the user) ends the run, and what the round held is dropped. */
    int (*run)(void *context, size_t series, struct block *block, struct error *error);
    /* Make ready what COUNT calls of SERIES need, and clear away what they left: outside of every
     * account. May be NULL. A return other than 0 ends the run, as above. */
    int (*prepare)(void *context, size_t series, size_t count, struct error *error);
    int (*clear)(void *context, size_t series, size_t count, struct error *error);
    /* Is the warm-up over, where this run's level is STEADY or not? May be NULL: when it is. */
    bool (*warm)(void *context, bool steady);
    /* The warm-up is over, and the first round that counts is about to begin. May be NULL. */
    void (*measuring_begins)(void *context);
    /* ROUND rounds are done: of the warm-up, or, after measuring_begins(), of the run. May be NULL.
     */
    void (*round_done)(void *context, size_t round);
    /* ROUND rounds of the run are done: are they enough? May be NULL: never before the plan's. */
    bool (*enough)(void *context, size_t round);
    void *context;
};

struct rounds_plan {
    size_t series;  /* number of series, at least 1 */
    uint64_t calls; /* of each series; 0: until the source has enough */
    uint32_t block; /* calls in a block, at least 1 */
    /* By series: calls in its blocks (at least 1), where others than BLOCK. NULL: BLOCK for all. */
    const uint32_t *blocks;
    /* By series: its block comes after those of the others, which are in random order. NULL: none.
     */
    const bool *follows;
    bool warmup; /* false: no warm-up */
    uint64_t seed;
};

struct rounds {
    size_t series_count;
    struct series *series;
    size_t planned;  /* rounds; once the source had enough: as many as are done */
    size_t capacity; /* rounds that there is room for */
    size_t done;     /* rounds complete: the length of every blocks[] */
    size_t warmup;   /* rounds run and dropped before */
    bool steady;     /* the warm-up ended because the level was steady, not at its limit */
};

/* Allocate the results of PLAN, faulted in, so that the run itself never waits for memory (without
 * a number of calls, room grows between rounds).
 * Returns 0, -ENOMEM, or -EINVAL for more rounds than half of the machine's memory holds (40 bytes
 * a round and series). */
int rounds_open(struct rounds *rounds, const struct rounds_plan *plan, struct error *error);

/* Run warm-up and all rounds. The calls are spread evenly: blocks differ by one call at most. The
 * statistics of smaller blocks speak of fewer calls each, and are as true.
 * Returns 0, or what ended the run early (ROUNDS then holds the complete rounds before it): the
 * source's return, or -ENODATA when a block had no successful call at all. */
int rounds_run(struct rounds *rounds, const struct rounds_plan *plan, const struct clock *clock,
               const struct block_source *source, struct error *error);

void rounds_close(struct rounds *rounds);

#endif
