/* The cost of an op above the null call. */
#pragma once

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"

struct above_null {
    /* In each round, the trimmed mean (COST) or quantile of null's block is subtracted from the
     * same statistic of the op's block. The estimates are medians of these differences, ns. */
    struct interval cost, p50, p90, p99;
    struct replicates cost_replicates;
    double mean_difference; /* mean of all calls minus mean of all null calls, ns */
    double share;           /* cost.estimate / mean latency of the op */
    bool distinguishable;   /* the interval excludes 0, and |cost| exceeds the noise floor */
};

/* Raise RESAMPLING's block to the length that a bootstrap of the paired differences of OP and
 * NULL_CALLS requires; a longer block stays. Returns 0 or -ENOMEM. */
int above_null_lengthen(struct resampling *resampling, const struct series *op,
                        const struct series *null_calls, struct error *error);

/* Estimate the cost of OP above NULL_CALLS; both have RESAMPLING's n rounds. NOISE_FLOOR_NS is the
 * largest distance from 0 of the null control's interval; 0: no control. Returns 0 or -ENOMEM. */
int above_null_estimate(struct above_null *above, const struct series *op,
                        const struct series *null_calls, const struct resampling *resampling,
                        double noise_floor_ns, struct error *error);

/* Estimate only the cost's interval over N rounds, without regimes. Returns 0 or -ENOMEM. */
int above_null_interval(const struct series *op, const struct series *null_calls, size_t n,
                        uint64_t seed, struct interval *interval, struct error *error);

/* Return the p99 of all calls of OP less that of all NULL_CALLS, ns. NAN if OP or NULL_CALLS has
 * fewer than ABOVE_NULL_P99_CALLS calls, because fewer than ten calls would exceed its p99. There
 * is no interval, because it is unknown how far calls depend on each other. */
double above_null_p99(const struct series *op, const struct series *null_calls);

enum { ABOVE_NULL_P99_CALLS = 1000 };
