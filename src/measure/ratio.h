/* How far a rate, or the ratio of two rates that were measured in the same rounds, may be off.
 *
 * A rate is the inverse of a mean time from one call to the next, and slow rounds are part of it: a
 * disk that pauses for a second has moved nothing in that second. So these are means, not medians.
 */
#ifndef NFSBENCH_MEASURE_RATIO_H
#define NFSBENCH_MEASURE_RATIO_H

#include "measure/estimate.h"

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

#endif
