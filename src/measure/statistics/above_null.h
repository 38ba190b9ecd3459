/* What a procedure costs above the null call. */
#pragma once

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"

struct above_null {
    /* Medians over the rounds of the paired differences (op minus null) between the blocks' trimmed
     * means, and between their quantiles; ns. */
    struct interval cost, p50, p90, p99;
    struct replicates cost_replicates;
    double mean_difference; /* the mean of all calls minus the mean of all null calls; ns */
    double share;           /* cost.estimate over the op's mean */
    bool distinguishable;   /* the interval excludes 0, and the cost exceeds the noise floor */
};

/* Make RESAMPLING's block the length with which the bootstrap must resample the paired differences
 * of its rounds, within its regimes, if that is longer. Returns 0 or -ENOMEM. */
int above_null_lengthen(struct resampling *resampling, const struct series *op,
                        const struct series *null_calls, struct error *error);

/* Estimate the cost of OP above NULL_CALLS, both with RESAMPLING's n rounds. NOISE_FLOOR_NS is the
 * larger distance from 0 of the two ends of the null control's interval, or 0 without a control.
 * Returns 0 or -ENOMEM. */
int above_null_estimate(struct above_null *above, const struct series *op,
                        const struct series *null_calls, const struct resampling *resampling,
                        double noise_floor_ns, struct error *error);

/* Estimate the cost's interval alone, over N rounds, which is faster. Returns 0 or -ENOMEM. */
int above_null_interval(const struct series *op, const struct series *null_calls, size_t n,
                        uint64_t seed, struct interval *interval, struct error *error);

/* The p99 of all calls of OP less that of all NULL_CALLS, ns. NAN where one of them has fewer than
 * ABOVE_NULL_P99_CALLS calls: fewer than ten would then lie beyond it. It has no interval: how far
 * calls depend on one another is not known, so a p99 varies by an unknown amount within a launch.
 */
double above_null_p99(const struct series *op, const struct series *null_calls);

enum { ABOVE_NULL_P99_CALLS = 1000 };
