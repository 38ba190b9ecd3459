/* Robust estimates and their confidence intervals: pure functions of their arguments and a seed.
 *
 * The independent unit is the round, not the call. Calls in a block share the same momentary
 * conditions; an interval that treated single calls as independent would be far too narrow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "measure/statistics/regimes.h"

struct interval {
    double estimate;
    double low, high; /* confidence interval, 95 % unless stated; NAN: unknown */
};

static inline double interval_half_width(const struct interval *interval)
{
    return (interval->high - interval->low) / 2;
}

/* Sort N values in ascending order, or N structures of SIZE bytes by the double they begin with. */
void estimate_sort(double *values, size_t n);
void estimate_sort_by_first(void *structures, size_t n, size_t size);

/* Return the mean of N sorted values (N at least 1) without the fraction TRIM (0 to under 0.5) at
 * each end. The number of values to leave out is rounded down. */
double estimate_trimmed_mean(const double *sorted, size_t n, double trim);

/* Return the quantile Q of N sorted values (N at least 1) by nearest rank, ceil(Q x N). */
double estimate_quantile(const double *sorted, size_t n, double q);

/* Return the median of N values (N at least 1), for even N the middle two's mean. Sorts VALUES. */
double estimate_median(double *values, size_t n);

/* Return the rank of each of N values, from 0; equal values have their mean rank (as for Spearman's
 * coefficient). The caller frees the result; NULL: out of memory. */
double *estimate_ranks(const double *values, size_t n);

/* Return the lag-1 autocorrelation of N values, computed on their ranks (Spearman's coefficient),
 * so that outliers matter little; 0 for N under 4, a constant series, or if out of memory. */
double estimate_autocorrelation(const double *values, size_t n);

/* Return the length of the blocks in which a bootstrap must resample N values to preserve their
 * dependence: 1 (independent, or N below 8) to N/4. Two rules, found by simulation
 * (tests/unit/test_estimate.c, doc/METHOD.md), lengthen blocks:
 *
 * Correlated neighbours: if the lag-1 autocorrelation rho exceeds the noise of independent values
 * (1.96/sqrt(N)), the length is twice N^(1/3) x (2 rho / (1 - rho^2))^(2/3) x 1.5^(1/3). Without
 * the factor 2 (Politis and White, "Automatic Block-Length Selection for the Dependent Bootstrap",
 * 2004) intervals are too narrow.
 *
 * Slow changes, which the lag-1 autocorrelation hardly shows: lengths are tried from that of the
 * first rule to N/4, each 1.5 times the previous length. The variance of the means of so many
 * successive ranks is divided by its value for independent ranks. If this ratio grows by more than
 * twice its standard deviation for independent values, sqrt(4 length / (3 N)), blocks have twice
 * the last length at which it grew. */
size_t estimate_block_length(const double *values, size_t n);

enum { ESTIMATE_REPLICATES = 1000 };

/* How to resample. Replicates of different values that are made with the same resampling correspond
 * to each other: the n-th replicate of each draws the same rounds. So sums and differences of
 * estimates have replicates, too. */
struct resampling {
    size_t n;     /* number of values, at least 1 */
    size_t block; /* number of consecutive values that are resampled together: 1 to N */
    uint64_t seed;
    /* Regimes of the values (regimes.h), to which estimate_align() applies. NULL: none known. */
    const struct regimes *regimes;
};

/* An estimate, and the estimates from the resamples. */
struct replicates {
    double estimate;
    double widen; /* factor on the interval's width (estimate_interval()); infinite: no interval */
    double values[ESTIMATE_REPLICATES];
};

/* Shift VALUES in each of the COUNT regimes of LIST (regimes.h) so that all regimes have the same
 * median: the mean of their medians, weighted by their numbers of values. Does nothing for COUNT
 * below 2. Returns 0 or -ENOMEM. */
int estimate_align(const struct regime *list, size_t count, double *values);

/* Estimate the median of VALUES, with replicates by the circular block bootstrap (Politis and
 * Romano). If RESAMPLING has several regimes, their values are aligned first (estimate_align()).
 * Takes about N x 1000 x 5 ns. Returns 0 or -ENOMEM. */
int estimate_median_replicates(const double *values, const struct resampling *resampling,
                               struct replicates *replicates, struct error *error);

/* Estimate the median of N values by blocks of estimate_block_length(). Returns 0 or -ENOMEM. */
int estimate_median_alone(const double *values, size_t n, uint64_t seed,
                          struct replicates *replicates, struct error *error);

/* Add WEIGHT x TERM to SUM, which has the same resampling. */
void estimate_add(struct replicates *sum, double weight, const struct replicates *term);

/* Set INTERVAL to the 95 % interval from the percentiles of REPLICATES. If blocks are longer than
 * one value, there are only m = N / block independent pieces. The interval is then widened by the
 * ratio of Student's t for m - 1 degrees of freedom to the normal quantile, and by
 * sqrt(m / (m - 1)). A single value has NAN ends. */
void estimate_interval(const struct replicates *replicates, struct interval *interval);

/* Return true if INTERVAL excludes 0; false if its ends are NAN. */
bool estimate_excludes_0(const struct interval *interval);

/* Estimate the median and its interval by estimate_median_alone(). Returns 0 or -ENOMEM. */
int estimate_median_interval(const double *values, size_t n, uint64_t seed,
                             struct interval *interval, struct error *error);

/* Estimate the share of PART in PART + REST, 0 to 1: the median over N rounds of each round's
 * share, so that a drift between rounds cancels out. Overwrites PART. Returns 0 or -ENOMEM. */
int estimate_share_interval(double *part, const double *rest, size_t n, uint64_t seed,
                            struct interval *share, struct error *error);

/* Student's t distribution, with a relative error of at most 1e-9. DEGREES of freedom are above 0,
 * integer or not; INFINITY is the normal distribution. */

/* Return the two-sided p-value, the probability that t is at least as far from 0 as T. It is the
 * regularised incomplete beta function of degrees / (degrees + T^2) with parameters degrees / 2 and
 * 1/2 (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.5.27). */
double student_p(double t, double degrees);

/* Return the 0.975 quantile, the factor on a standard error for a 95 % interval. */
double student_975(double degrees);

/* Return the quantile of PROBABILITY, which is above 0.5 and below 1. */
double student_quantile(double probability, double degrees);
