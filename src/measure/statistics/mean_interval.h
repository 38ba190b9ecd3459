/* Means of rounds, and the ratios of such means, with intervals that hold for heavy-tailed
 * distributions. */
#pragma once

#include "measure/statistics/estimate.h"

/* The mean of N values (N at least 1). */
double mean_of(const double *values, size_t n);

/* The mean of N values (N at least 1) with a 95 % interval for heavy-tailed distributions: at each
 * end, the wider of Student's t and the bootstrap-t (Efron, 1981). Student's interval is too narrow
 * if a few large values dominate the mean; the bootstrap's is too narrow if there are too few of
 * them to resample, and is limited to MEAN_INTERVAL_REACH times Student's quantile. Consecutive
 * BLOCK values are averaged first (batch means). No interval allows for values that did not occur:
 * for calls so rare that N values include two of them, the coverage is 85 %. The interval's ends
 * are NAN with fewer than two batches. Returns 0 or -ENOMEM. */
int mean_interval(const double *values, size_t n, size_t block, uint64_t seed,
                  struct interval *interval, struct error *error);

/* The limit on the distance of an end from the mean, relative to Student's t: that of the exact
 * Poisson limits for a single event. */
#define MEAN_INTERVAL_REACH 2.5

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
