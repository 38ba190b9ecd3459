/* The mean cost of an op above null. It includes rare slow calls, which the typical cost
 * (measure/statistics/above_null.h) excludes, and so determines how long a job takes. */
#pragma once

#include "measure/statistics/above_null.h"

struct mean_cost {
    /* mean over the rounds of the op's mean less null's mean, ns */
    struct interval cost;
    struct interval rare; /* mean cost less typical cost: what rare slow calls add, ns */
    /* result of mean_cost_rare_share(): the slowest calls that together cause 95 % of RARE, as a
     * share of all calls, 0 to 1 */
    double rare_share;
    bool disagrees; /* slow calls add more than noise explains */
};

/* Estimate the mean cost of OP above NULL_CALLS; both have RESAMPLING's n rounds. TYPICAL is the
 * typical cost. NOISE_NS is the largest distance of the null control's interval from 0; 0 without a
 * control. Returns 0 or -ENOMEM. */
int mean_cost_estimate(struct mean_cost *mean, const struct series *op,
                       const struct series *null_calls, const struct resampling *resampling,
                       const struct interval *typical, double noise_ns, struct error *error);

/* RARE_NS: OP's mean - NULL_CALLS' mean - TYPICAL_NS. Return the smallest share, below 0.5, of OP's
 * slowest calls that causes 95 % of RARE_NS; NAN if there is none or RARE_NS is not above 0. */
double mean_cost_rare_share(const struct histogram *op, const struct histogram *null_calls,
                            double typical_ns, double rare_ns);
