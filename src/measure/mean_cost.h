/* The mean cost of an op above null. The typical cost (measure/above_null.h) trims rare slow calls;
 * the mean includes them, and so determines how long a job takes. */
#pragma once

#include "measure/above_null.h"

struct mean_cost {
    struct interval cost; /* mean over the rounds of the paired differences of the blocks' means */
    struct interval rare; /* the mean cost less the typical cost: what rare slow calls add, ns */
    double rare_share;    /* share of the calls, the slowest, that cause it; NAN: unknown */
    bool disagrees;       /* slow calls add more than noise explains */
};

/* The mean of N values (N at least 1). */
double mean_of(const double *values, size_t n);

/* The same with a 95 % interval for heavy-tailed distributions: at each
 * end, the wider of Student's t and the bootstrap-t (Efron, 1981). Student's interval is too narrow
 * if a few large values dominate the mean; the bootstrap's is too narrow if there are too few of
 * them to resample, and is limited to MEAN_COST_REACH times Student's quantile. Consecutive BLOCK
 * values are averaged first (batch means). No interval allows for values that did not occur: for
 * calls so rare that N values include two of them, the coverage is 85 %. The interval's ends are
 * NAN with fewer than two batches. Returns 0 or -ENOMEM. */
int mean_interval(const double *values, size_t n, size_t block, uint64_t seed,
                  struct interval *interval, struct error *error);

/* The limit on the distance of an end from the mean, relative to Student's t: that of the exact
 * Poisson limits for a single event. */
#define MEAN_COST_REACH 2.5

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

/* How far a rate, or the ratio of two rates that were measured in the same rounds, may be off. A
 * rate is the inverse of a mean time from one call to the next, and slow rounds are part of it: a
 * disk that pauses for a second has moved nothing in that second. So these are means, not medians.
 */

/* The 95 % interval of ESTIMATE, a rate or the ratio of two: of the times from one call to the next
 * (more than 0) in N rounds (N at least 1), OWN are those of its calls, and OTHERS those of what it
 * is divided by (NULL: it is not). It is computed on a logarithmic scale, so that neither end is
 * below 0 and a ratio and its inverse have the same interval: of the mean of each round's deviation
 * from both means, as a share of them, which is the ratio's first-order error (the delta method;
 * Cochran, "Sampling Techniques", 1977, chapter 6), by mean_interval(). So what slows both down in
 * the same round does not widen it. Rounds that depend on each other are averaged in blocks
 * (estimate_block_length()). The ends are NAN for a single round. Returns 0 or -ENOMEM. */
int ratio_interval(double estimate, const double *own, const double *others, size_t n,
                   uint64_t seed, struct interval *interval, struct error *error);
