/* The mean cost of an op above null. The typical cost (measure/statistics/above_null.h) trims rare
 * slow calls; the mean includes them, and so determines how long a job takes. */
#pragma once

#include "measure/statistics/above_null.h"

struct mean_cost {
    struct interval cost; /* mean over the rounds of the paired differences of the blocks' means */
    struct interval rare; /* the mean cost less the typical cost: what rare slow calls add, ns */
    double rare_share;    /* share of the calls, the slowest, that cause it; NAN: unknown */
    bool disagrees;       /* slow calls add more than noise explains */
};

/* Estimate the mean cost of OP above NULL_CALLS, both with RESAMPLING's n rounds. TYPICAL is its
 * typical cost. NOISE_NS is the null control's largest distance from 0, or 0 without one. Returns 0
 * or -ENOMEM. */
int mean_cost_estimate(struct mean_cost *mean, const struct series *op,
                       const struct series *null_calls, const struct resampling *resampling,
                       const struct interval *typical, double noise_ns, struct error *error);

/* The smallest share of OP's slowest calls that accounts for nearly all (95 %) of RARE_NS, by which
 * OP's mean exceeds NULL_CALLS' mean plus TYPICAL_NS; NAN if no share does. */
double mean_cost_rare_share(const struct histogram *op, const struct histogram *null_calls,
                            double typical_ns, double rare_ns);
