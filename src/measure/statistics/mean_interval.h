/* Means and their ratios, with intervals that hold for heavy-tailed distributions. */
#pragma once

#include "measure/statistics/estimate.h"

double mean_of(const double *values, size_t n);

/* Estimate the mean of N values (N at least 1) with a 95 % interval. Each end is the wider of
 * Student's t and the bootstrap-t (Efron, 1981). Student's interval is too narrow if a few large
 * values dominate the mean. The bootstrap's is too narrow if such values are too few to resample;
 * it is limited to MEAN_INTERVAL_REACH times Student's quantile. First, each BLOCK consecutive
 * values are averaged (batch means). No interval covers values that did not occur: if N values
 * include two slow calls on average, the coverage is 85 %. The ends are NAN with fewer than two
 * batches. Returns 0 or -ENOMEM. */
int mean_interval(const double *values, size_t n, size_t block, uint64_t seed,
                  struct interval *interval, struct error *error);

/* Largest distance of an end from the mean / Student's distance. The exact upper Poisson limit for
 * a single event has about this ratio. */
#define MEAN_INTERVAL_REACH 2.5

/* A rate is the inverse of a mean time from one call to the next. Slow rounds count: a disk that
 * pauses for a second moves nothing in that second. So rates are based on means, not medians. */

/* Set INTERVAL to the 95 % interval of ESTIMATE, a rate or the ratio of two rates. OWN are the
 * times from one call to the next (above 0) in N rounds (N at least 1); OTHERS are those of the
 * divisor (NULL if ESTIMATE is a rate). The interval is that of mean_interval() for the first-order
 * errors in the rounds (delta method; Cochran, "Sampling Techniques", 1977, chapter 6), on a
 * logarithmic scale, so that no end is below 0, and 1 / ESTIMATE has the inverse interval. A round
 * in which OWN and OTHERS are slow by the same factor does not widen the interval. Dependent rounds
 * are averaged in blocks. The ends are NAN for a single round. Returns 0 or -ENOMEM. */
int ratio_interval(double estimate, const double *own, const double *others, size_t n,
                   uint64_t seed, struct interval *interval, struct error *error);
