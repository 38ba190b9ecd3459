/* What a procedure costs above the null call. */
#ifndef NFSBENCH_MEASURE_ABOVE_NULL_H
#define NFSBENCH_MEASURE_ABOVE_NULL_H

#include "measure/estimate.h"
#include "measure/rounds.h"

struct above_null {
    /* Medians over the rounds of the paired differences, op minus null, of the blocks' trimmed
     * means, and of their quantiles; ns. */
    struct interval cost, p50, p90, p99;
    double mean_difference; /* plain: the mean of all calls less the mean of all null calls; ns */
    double share;           /* cost.estimate over the op's mean */
    bool distinguishable;   /* the interval leaves out 0, and the cost exceeds the noise floor */
};

/* Estimate it for OP against NULL_CALLS, both of N rounds (at least 1). NOISE_FLOOR_NS is
 * above_null_noise_floor() of the run's control, or 0. 0 or -ENOMEM. */
int above_null_estimate(struct above_null *above, const struct series *op,
                        const struct series *null_calls, size_t n, double noise_floor_ns,
                        uint64_t seed, struct error *error);

/* The noise floor that a control's interval shows: how far from 0 it reaches, ns. */
double above_null_noise_floor(const struct above_null *control);

#endif
