/* Series of calls that are timed in the same rounds (measure/rounds.h), so that drift of machine or
 * network affects all of them. Times are in us. */
#pragma once

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"

struct testbed;

/* Plan of the timed series. */
struct timing_plan {
    size_t series;
    unsigned calls;       /* calls of each series in a round */
    unsigned full, quick; /* numbers of rounds; at least 5 even if time is short */
    unsigned part;        /* the rounds take 1/PART of their usual time; 0: all of it */
    /* Make one call of SERIES. Returns its time, ticks. */
    uint64_t (*call)(struct testbed *testbed, void *state, size_t series);
};

struct timing {
    struct timing_plan plan;
    struct rounds rounds;
    uint64_t ends_ns;
};

/* Make the rounds of TESTBED's timing, which remain until the experiment ends. STATE is passed to
 * call(). */
void timing_run(struct testbed *testbed, void *state);

/* Estimates; NAN after a failure. timing_median() is for COUNT values that are not from rounds. */
struct interval timing_median(struct testbed *testbed, const double *values, size_t count);

/* Return the time of a call of SERIES. */
struct interval timing_level(struct testbed *testbed, size_t series);

/* Return how much longer a call of SECOND takes than one of FIRST. */
struct interval timing_difference(struct testbed *testbed, size_t first, size_t second);

/* Return the time of a call of FIRST over that of SECOND. */
struct interval timing_ratio(struct testbed *testbed, size_t first, size_t second);
