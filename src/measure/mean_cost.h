/* What an op costs above null in the mean: beside the typical cost (measure/above_null.h), which
 * trims rare slow calls away, the one that adds up to a job's time. */
#ifndef NFSBENCH_MEASURE_MEAN_COST_H
#define NFSBENCH_MEASURE_MEAN_COST_H

#include "measure/above_null.h"

struct mean_cost {
    struct interval cost; /* mean over the rounds of the paired differences of the blocks' means */
    struct interval rare; /* that less the typical cost: what rare slow calls add, ns */
    double rare_share;    /* of the calls: the slowest, which make that up; NAN: not known */
    bool disagrees;       /* slow calls add more than the noise explains */
};

/* The mean of N values (N at least 1) with a 95 % interval that is honest about heavy tails: of
 * Student's t and the bootstrap-t (Efron, 1981), at each end whichever reaches farther. Student's
 * is too narrow where a few large values make the mean, the other where there are too few of them
 * to resample; it is held to MEAN_COST_REACH times Student's quantile. Runs of BLOCK values are
 * taken together first (batch means). Values that did not happen can't be known of: of calls so
 * rare that N holds two of them, it covers the mean in 85 %. ci95 is NAN with fewer than two
 * batches. 0 or -ENOMEM. */
int mean_interval(const double *values, size_t n, size_t block, uint64_t seed,
                  struct interval *interval, struct error *error);

/* By how much more than Student's t an end may lie from the mean: as far as Poisson's exact limits
 * do for a mean that one event makes. */
#define MEAN_COST_REACH 2.5

/* Estimate it for OP against NULL_CALLS, both of RESAMPLING's n rounds, beside the TYPICAL cost.
 * NOISE_NS is how far the control's reaches from 0, or 0. 0 or -ENOMEM. */
int mean_cost_estimate(struct mean_cost *mean, const struct series *op,
                       const struct series *null_calls, const struct resampling *resampling,
                       const struct interval *typical, double noise_ns, struct error *error);

/* The smallest share of the slowest calls of OP that make up nearly all (95 %) of RARE_NS, which OP
 * takes in the mean beyond NULL_CALLS and TYPICAL_NS; NAN where no share does. */
double mean_cost_rare_share(const struct histogram *op, const struct histogram *null_calls,
                            double typical_ns, double rare_ns);

#endif
