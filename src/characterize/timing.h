/* Series of calls that are timed in the same rounds (measure/rounds.h), so that drift of machine or
 * network affects all series alike. */
#pragma once

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"

struct testbed;

struct timing_plan {
    size_t series;
    unsigned calls; /* number of calls of each series in a round */
    /* maximum number of rounds at each scale; at least 5 are made even if time is short */
    unsigned full, quick;
    unsigned part; /* the rounds may take 1 / PART of testbed_rounds_ns(); 0: all of it */
    /* Time SERIES once, by one call or by a block of calls. Returns the time per call, ticks. */
    uint64_t (*call)(struct testbed *testbed, void *state, size_t series);
};

struct timing {
    struct timing_plan plan;
    struct rounds rounds;
    uint64_t ends_ns; /* end of the rounds' time, by clock_raw_ns() */
};

/* Make the rounds of TESTBED's timing, whose results are valid until the experiment ends. STATE is
 * passed to call(). */
void timing_run(struct testbed *testbed, void *state);

/* The functions below return NAN after a failure. timing_median() returns the median of COUNT
 * VALUES, which need not be from rounds, in their unit. */
struct interval timing_median(struct testbed *testbed, const double *values, size_t count);

/* Return the time of a call of SERIES, us: the median over the rounds. */
struct interval timing_level(struct testbed *testbed, size_t series);

/* Return how much longer a call of SECOND takes than a call of FIRST, us: the median over the
 * rounds. */
struct interval timing_difference(struct testbed *testbed, size_t first, size_t second);

/* Return the time of a call of FIRST divided by that of a call of SECOND: the median over the
 * rounds. */
struct interval timing_ratio(struct testbed *testbed, size_t first, size_t second);
