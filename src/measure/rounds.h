/* The measuring run: rounds of blocks.
 *
 * A series is all calls of one kind in a run. The null baseline, the null control, each op and each
 * point of the cost model, for example, have one series. A block is a number of consecutive calls
 * of one series. A round is one block of every series, in a new random order, so that a drift of
 * the machine affects every series equally and cancels out in differences within a round. The
 * caller's functions (struct block_source) make the calls of a block. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "measure/clock.h"
#include "measure/histogram.h"
#include "measure/load.h"

enum {
    /* usual number of calls in a block; fewer if they are slow, more under load */
    ROUNDS_BLOCK = 100,
    ROUNDS_SLOWEST = 8, /* number of slowest calls that are kept of each series */
};

/* The statistics that are kept of a block: one value per series and round. */
enum block_statistic {
    BLOCK_TRIMMED_MEAN, /* mean of the samples without the lowest and the highest 10 % */
    BLOCK_P50,
    BLOCK_P90,
    BLOCK_P99,
    BLOCK_MEAN,    /* mean of all samples */
    BLOCK_SPACING, /* mean time from one call to the next: the inverse of the throughput */
    BLOCK_TREND,   /* trend_ns of struct block; 0 unless under load */
    BLOCK_STATISTICS,
};

/* One of a series' slowest calls, with data that help to explain it. */
struct slow_call {
    double ns;
    size_t round;            /* number of the round, from 0 */
    size_t position;         /* index among the timed calls of the block, from 0 */
    uint64_t block_began_ns; /* when the block began (CLOCK_MONOTONIC_RAW) */
    /* involuntary context switches, during the block, of the thread that called run(); not those of
     * other threads or processes that made the calls */
    uint64_t involuntary_switches;
};

struct series {
    struct histogram histogram; /* all timed calls' latencies, ns (open loop: response times) */
    double *blocks[BLOCK_STATISTICS]; /* for each statistic, one value per round, ns */
    uint64_t calls;                   /* number of measured calls, including failed calls */
    uint64_t elapsed_ns; /* total duration of the blocks; in an open loop, time of sending */
    struct slow_call slowest[ROUNDS_SLOWEST]; /* the slowest calls, in descending order */
    size_t slowest_count;
    bool given_up;  /* the source has given the series up: the series has no more blocks */
    size_t kept_to; /* if GIVEN_UP: number of rounds in which the series has blocks */
};

struct block_source {
    /* Make the calls of BLOCK, which belongs to series SERIES, and set BLOCK's ticks and their
     * number. A failed call is counted, and the block goes on. Returns 0 or an error. -ECANCELED,
     * also from prepare() or clear(), gives up only SERIES, from this round on. Any other error
     * ends the run and discards the current round (but see open_loop). -EINTR: the user interrupted
     * the run. -ETIME: the run's time ended within the block; rounds_run() then returns 0 if a
     * measured round is complete, except in an open loop. */
    int (*run)(void *context, size_t series, struct block *block, struct error *error);
    /* These three functions are for an open loop, in which one schedule runs through all blocks.
     * submit() adds a block of COUNT calls of SERIES after the blocks that were submitted before.
     * wants_block() returns true if it is time to submit another block. finish() announces that no
     * block follows for now. With them, run() returns the oldest submitted block, or -EAGAIN while
     * that block is under way. If submit is NULL, run() makes each block. */
    int (*submit)(void *context, size_t series, size_t count, struct error *error);
    bool (*wants_block)(void *context);
    void (*finish)(void *context);
    /* Open loop: return true if the time for further rounds is over. May be NULL. */
    bool (*is_over)(void *context);
    /* Open loop: return how many rounds are prepared together. The preparation begins when all
     * earlier rounds are over, and the schedule is interrupted for it. If the function is NULL or
     * returns 0, no round is prepared. */
    size_t (*rounds_ahead)(void *context);
    /* Prepare what COUNT calls of SERIES need, and clear up after COUNT calls; the time is not
     * counted. Without submit(), COUNT is the number of calls in one block. With submit(),
     * prepare() gets the largest number of calls that all rounds prepared together can have, and
     * clear() the number of calls that were submitted in these rounds. Both functions may be NULL
     * if no block needs preparation. They return 0, or an error like run(). */
    int (*prepare)(void *context, size_t series, size_t count, struct error *error);
    int (*clear)(void *context, size_t series, size_t count, struct error *error);
    /* Return the smallest VALUE of all processes that make these rounds. NULL: only one process. */
    uint64_t (*least)(void *context, uint64_t value);
    /* Set the function STEP. From then on, the source calls STEP(RUN) repeatedly whenever it waits
     * for other processes, so that blocks are submitted meanwhile. STEP NULL ends that. May be
     * NULL. */
    void (*while_waiting)(void *context, void (*step)(void *run), void *run);
    /* Called when a block of COUNT calls of SERIES ended well, before clear(). May be NULL. */
    void (*block_done)(void *context, size_t series, size_t count);
    /* Return true if the warm-up is over before its limit. STEADY says whether this process's level
     * is steady. NULL: the warm-up is over once the level is steady. */
    bool (*warm)(void *context, bool steady);
    /* Called before the first measured round, also without a warm-up. May be NULL. */
    void (*measuring_begins)(void *context);
    /* Called when a round is complete, with the number of complete warm-up rounds or, after
     * measuring_begins(), measured rounds. Not called for the rounds that an open loop still has to
     * take and discard when its warm-up ends. May be NULL. */
    void (*round_done)(void *context, size_t round);
    /* Return true if the ROUND complete rounds are enough. NULL: the planned number is made. */
    bool (*enough)(void *context, size_t round);
    void *context;
};

struct rounds_plan {
    size_t series; /* number of series, at least 1 */
    /* number of calls of a series whose blocks have BLOCK calls; another length in `blocks` changes
     * the number in proportion. 0: no limit, the run goes on until enough() returns true */
    uint64_t calls;
    uint32_t block; /* number of calls in a block, at least 1 */
    /* Number of calls in a block of each series, at least 1. NULL: BLOCK for every series. */
    const uint32_t *blocks;
    /* For each series: true if its block comes after the randomly ordered blocks of a round. NULL:
     * all blocks are in random order. */
    const bool *follows;
    bool warmup; /* the run begins with a warm-up */
    /* time on clock_raw_ns() after which no warm-up round begins; 0: no limit */
    uint64_t warmup_until_ns;
    bool load; /* blocks have several calls in flight, so the warm-up does not shorten them */
    /* The load is an open loop. If an error (also -ETIME) ends a round, the round's samples are
     * still added to each series, but not to its `blocks`. */
    bool open_loop;
    uint64_t seed;
};

struct rounds {
    size_t series_count;
    struct series *series;
    /* planned number of measured rounds; once the run is to end early, the number that it will have
     */
    size_t planned;
    size_t capacity; /* number of rounds that have memory */
    size_t done;     /* number of complete rounds: the length of blocks[], but see kept_to */
    size_t warmup;   /* number of warm-up rounds, which are discarded */
    bool steady;     /* the warm-up ended before its limit: steady level, or warm() was true */
};

/* Allocate and touch the memory for the results of PLAN, so that the run never waits for memory.
 * Without a number of calls, memory grows between rounds. Returns 0, -ENOMEM, or -EINVAL if the
 * rounds need more than half of the machine's memory (56 bytes per round and series). */
int rounds_open(struct rounds *rounds, const struct rounds_plan *plan, struct error *error);

/* Run the warm-up and all rounds. Calls are spread evenly over rounds, so blocks may have fewer
 * than BLOCK calls. Returns 0, or the error that ended the run: SOURCE's error, -ENOMEM, or
 * -ENODATA if a block has no sample, or if is_over() lets no further round begin though the run is
 * not complete. After an error, too, ROUNDS has all complete rounds. */
int rounds_run(struct rounds *rounds, const struct rounds_plan *plan, const struct clock *clock,
               const struct block_source *source, struct error *error);

/* Remove series INDEX, as if it had not been measured. */
void rounds_remove(struct rounds *rounds, size_t index);

void rounds_close(struct rounds *rounds);

/* Sort N samples of TICKS in ascending order. SPARE has room for N samples. Large blocks are sorted
 * by radix, because comparisons took longer than all other work on a sample. */
void ticks_sort(uint64_t *ticks, uint64_t *spare, size_t n);
