/* Series of calls that are timed in the same rounds (measure/rounds.h), so that a drift of machine
 * or network affects all of them. Figures are in us, but for ratios. */
#pragma once

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"

struct lab;

/* What is timed. */
struct timing_plan {
    size_t series;
    unsigned calls;       /* of a series in a round */
    unsigned full, quick; /* rounds, or as many as there is time for, 5 at least */
    unsigned part;        /* one of so many of the time that rounds should take; 0: all of it */
    /* Make one call of SERIES. Returns its ticks. */
    uint64_t (*call)(struct lab *lab, void *state, size_t series);
};

struct timing {
    struct timing_plan plan;
    struct rounds rounds;
    uint64_t ends_ns;
};

/* Make the rounds of LAB's timing, which remain until the experiment's end. STATE is for its calls.
 */
void timing_run(struct lab *lab, void *state);

/* Estimates, which are NAN after a failure. The median of COUNT values that do not come from
 * rounds. */
struct interval timing_median(struct lab *lab, const double *values, size_t count);

/* What a call of SERIES takes. */
struct interval timing_level(struct lab *lab, size_t series);

/* How much longer a call of SECOND takes than one of FIRST. */
struct interval timing_difference(struct lab *lab, size_t first, size_t second);

/* How many times as long as a call of SECOND a call of FIRST takes. */
struct interval timing_ratio(struct lab *lab, size_t first, size_t second);
