/* The measuring run: rounds of blocks.
 *
 * A series is all calls of one procedure in a run (the null baseline, the null control and each op
 * have one each). A block is a number of consecutive calls of one series. A round is one block of
 * every series, in a new random order, so that a drift of the machine affects every series equally
 * and cancels out in differences within a round. This module knows nothing of sockets: the caller's
 * functions make the calls of a block. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "measure/clock.h"
#include "measure/histogram.h"
#include "measure/load.h"

enum {
    ROUNDS_BLOCK = 100, /* calls in a block by default */
    ROUNDS_SLOWEST = 8, /* slowest calls of a series that are kept */
};

/* The statistics of a block that are kept: one value per series and round. */
enum block_statistic {
    BLOCK_TRIMMED_MEAN, /* 10 % cut from each end */
    BLOCK_P50,
    BLOCK_P90,
    BLOCK_P99,
    BLOCK_MEAN,    /* mean of all its calls */
    BLOCK_SPACING, /* time from one call to the next: what it took by its calls. Its inverse is
                    * their rate */
    BLOCK_TREND,   /* under load: struct block's trend_ns */
    BLOCK_STATISTICS,
};

/* One of a series' slowest calls, with what helps to explain it. */
struct slow_call {
    double ns;
    size_t round;                  /* from 0 */
    size_t position;               /* among the timed calls of its block, from 0 */
    uint64_t block_began_ns;       /* CLOCK_MONOTONIC_RAW */
    uint64_t involuntary_switches; /* of this thread, during its block */
};

struct series {
    struct histogram histogram;               /* of every timed call, in ns */
    double *blocks[BLOCK_STATISTICS];         /* per round, in ns */
    uint64_t calls;                           /* issued, failed ones included, warm-up excluded */
    uint64_t elapsed_ns;                      /* total duration of this series' blocks */
    struct slow_call slowest[ROUNDS_SLOWEST]; /* slowest first */
    size_t slowest_count;
    bool given_up;  /* its source gave it up: it has no more blocks */
    size_t kept_to; /* then: the rounds that it has blocks of */
};

/* The functions that make the calls. */
struct block_source {
    /* Make BLOCK's calls, of series SERIES, and set its ticks and their number. The source counts a
     * failed call and continues the block; a return other than 0 (-EINTR: interrupted by the user)
     * ends the run and discards the current round. -ETIME: the time of the run was over within the
     * block; the run ends well if it has a round before. But -ECANCELED gives up
     * only this series, from this round on; the same is true of the next two functions. */
    int (*run)(void *context, size_t series, struct block *block, struct error *error);
    /* If blocks are made by a schedule that runs through them (an open loop): submit a block of
     * COUNT calls of SERIES, which follows those submitted before; and is it time to submit
     * another? Then run() sets the block that was submitted first and not returned yet, and returns
     * -EAGAIN while that is under way; finish() says that no more blocks follow for now. NULL:
     * run() makes each block. */
    int (*submit)(void *context, size_t series, size_t count, struct error *error);
    bool (*wants_block)(void *context);
    void (*finish)(void *context);
    /* Is the time over, so that no further round is begun? May be NULL. */
    bool (*is_over)(void *context);
    /* Of such blocks: how many rounds are prepared together. Those before them are over by then:
     * the schedule is interrupted. 0: no block needs preparation. */
    size_t (*rounds_ahead)(void *context);
    /* Prepare what COUNT calls of SERIES need, and clear up after them. Their time is not counted.
     * They are those of a block or, where blocks are submitted, of its blocks in the rounds that
     * are prepared together. May be NULL. A return other than 0 ends the run, as above. */
    int (*prepare)(void *context, size_t series, size_t count, struct error *error);
    int (*clear)(void *context, size_t series, size_t count, struct error *error);
    /* Of several processes that make the same rounds: the least of all processes' VALUEs. NULL:
     * there is only one process. */
    uint64_t (*least)(void *context, uint64_t value);
    /* Then these functions wait for other processes. Have them call STEP(RUN) again and again as
     * long as they wait, so that blocks are submitted meanwhile. STEP may be NULL. */
    void (*while_waiting)(void *context, void (*step)(void *run), void *run);
    /* A block of COUNT calls of SERIES is over, and not cleared up yet. May be NULL. */
    void (*block_done)(void *context, size_t series, size_t count);
    /* Is the warm-up over, given whether this run's level is STEADY? NULL: it is over once the
     * level is steady. */
    bool (*warm)(void *context, bool steady);
    /* The warm-up is over, and the first measured round is about to begin. May be NULL. */
    void (*measuring_begins)(void *context);
    /* ROUND rounds of the warm-up or, after measuring_begins(), of the run are complete. May be
     * NULL. */
    void (*round_done)(void *context, size_t round);
    /* Are the ROUND complete rounds enough? NULL: only when the plan's number is reached. */
    bool (*enough)(void *context, size_t round);
    void *context;
};

struct rounds_plan {
    size_t series;  /* number of series, at least 1 */
    uint64_t calls; /* of each series; 0: until enough() returns true */
    uint32_t block; /* calls in a block, at least 1 */
    /* Calls in the blocks of each series (at least 1). NULL: BLOCK for all. */
    const uint32_t *blocks;
    /* For each series: does its block come after the others, which are in random order? NULL: none
     * does. */
    const bool *follows;
    bool warmup;              /* false: without warm-up */
    uint64_t warmup_until_ns; /* on clock_raw_ns(): no later round of it begins; 0: no limit */
    bool load; /* a block has several calls in flight, so that one with few calls is all edges */
    /* Calls of a block that does not end count, too: in the histogram, since theirs are among the
     * longest. */
    bool open_loop;
    uint64_t seed;
};

struct rounds {
    size_t series_count;
    struct series *series;
    size_t planned;  /* number of rounds; after enough() has returned true, the number complete */
    size_t capacity; /* number of rounds with memory */
    size_t done;     /* number of complete rounds: the length of every blocks[] */
    size_t warmup;   /* number of discarded warm-up rounds */
    bool steady;     /* the warm-up ended because each series' level was steady once, not because it
                        reached its limit */
};

/* Allocate and fault in the results of PLAN, so that the run never waits for memory (without a
 * number of calls, memory grows between rounds). Returns 0, -ENOMEM, or -EINVAL if the rounds need
 * more than half of the machine's memory (56 bytes per round and series). */
int rounds_open(struct rounds *rounds, const struct rounds_plan *plan, struct error *error);

/* Run the warm-up and all rounds. The calls are divided evenly: the sizes of a series' blocks
 * differ by at most one call. Returns 0, or the error that ended the run early (ROUNDS then has the
 * rounds completed before): the source's return, or -ENODATA if a block had no successful call. */
int rounds_run(struct rounds *rounds, const struct rounds_plan *plan, const struct clock *clock,
               const struct block_source *source, struct error *error);

/* Remove series INDEX, as if it had not been measured. */
void rounds_remove(struct rounds *rounds, size_t index);

void rounds_close(struct rounds *rounds);

/* Sort N samples, in ticks, the shortest first. SPARE has room for as many. Of large
 * blocks, as they are under load, each sample takes the same time: comparisons took longer than all
 * else that is done with a sample. */
void ticks_sort(uint64_t *ticks, uint64_t *spare, size_t n);
