/* Robust estimates and their confidence intervals. Pure functions of their arguments: the same
 * input and seed give the same output.
 *
 * The independent unit is the round, not the call: calls in a block share the same momentary
 * conditions, and an interval that treated single calls as independent would be far too narrow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "measure/statistics/regimes.h"

struct interval {
    double estimate;
    double low, high; /* 95 % confidence interval; NAN for a single value */
};

static inline double interval_half_width(const struct interval *interval)
{
    return (interval->high - interval->low) / 2;
}

/* Sort N values, smallest first; and N structures of SIZE bytes by the double that each begins
 * with. */
void estimate_sort(double *values, size_t n);
void estimate_sort_by_first(void *structures, size_t n, size_t size);

/* The trimmed mean of N sorted values (N at least 1): of those that remain after the fraction TRIM
 * (0 to under 0.5) of the values, rounded down, is removed from each end. */
double estimate_trimmed_mean(const double *sorted, size_t n, double trim);

/* The quantile Q of N sorted values (N at least 1), by nearest rank, ceil(Q x N). */
double estimate_quantile(const double *sorted, size_t n, double q);

/* The median of N values (N at least 1; the mean of the middle two when N is even). Sorts
 * VALUES. */
double estimate_median(double *values, size_t n);

/* The rank of each of N values, from 0, with the mean rank for ties (as for Spearman's
 * coefficient), for the caller to free; NULL if memory runs out. */
double *estimate_ranks(const double *values, size_t n);

/* The lag-1 autocorrelation of N values in their order, robust to outliers (computed on their
 * ranks: Spearman's coefficient of the series with itself shifted by one); 0 for N under 4 or a
 * constant series. */
double estimate_autocorrelation(const double *values, size_t n);

/* The length of the blocks in which a bootstrap must resample VALUES to preserve their dependence;
 * from 1 (independent) to N/4. There are two reasons for long blocks:
 *
 * Correlated neighbours. If the lag-1 autocorrelation rho exceeds the noise of independent values
 * (1.96/sqrt(N)), the length is twice N^(1/3) x (2 rho / (1 - rho^2))^(2/3) x 1.5^(1/3). Without
 * the factor 2 that is the length with the best variance estimate for a first-order autoregression
 * (Politis and White, "Automatic Block-Length Selection for the Dependent Bootstrap", 2004); its
 * intervals are too narrow, because resampling breaks the dependence between blocks.
 *
 * Slow changes, which the lag-1 autocorrelation hardly shows. For lengths from there up to N/4,
 * each 1.5 times the one before, the variance of the means of that many successive ranks is
 * compared with its value for independent ranks. Where the ratio grows by more than twice its
 * standard deviation for independent values, sqrt(4 length / (3 N)), blocks have twice the last
 * such length.
 *
 * Both rules were found by simulation (tests/unit/test_estimate.c, doc/METHOD.md). Politis and
 * White's rule, which uses all lags (corrected in 2009), was tried and has lower coverage: it
 * treats each small correlation as noise, however many lags have one. */
size_t estimate_block_length(const double *values, size_t n);

enum { ESTIMATE_REPLICATES = 1000 };

/* How to resample. Replicates of different values made with the same resampling correspond one to
 * one: the n-th replicate of each draws the same rounds, so that sums and differences of estimates
 * have replicates, too. */
struct resampling {
    size_t n;     /* values, at least 1 */
    size_t block; /* consecutive values resampled together: 1 to N */
    uint64_t seed;
    /* Regimes of the values with levels of their own, which the median is estimated within; NULL:
     * none is known. */
    const struct regimes *regimes;
};

/* An estimate, and its value on each resample. */
struct replicates {
    double estimate;
    double widen; /* factor on the interval's width: see estimate_interval(); infinite: there is no
                     interval */
    double values[ESTIMATE_REPLICATES];
};

/* Shift the VALUES of each of the COUNT regimes of LIST (regimes.h) so that all have one median:
 * the mean of the regimes' medians, weighted by their numbers of values. So a median of all VALUES,
 * and its replicates, compare no value with one of another regime. Returns 0 or -ENOMEM. */
int estimate_align(const struct regime *list, size_t count, double *values);

/* The median of VALUES, with replicates by the circular block bootstrap (Politis and Romano). Where
 * a regime of them has a level of its own, they are aligned before (estimate_align()).
 * Returns 0 or -ENOMEM. Takes about N x 1000 x 5 ns. */
int estimate_median_replicates(const double *values, const struct resampling *resampling,
                               struct replicates *replicates, struct error *error);

/* The same for N values, with the block length that they require. */
int estimate_median_alone(const double *values, size_t n, uint64_t seed,
                          struct replicates *replicates, struct error *error);

/* SUM += WEIGHT x TERM, both made with the same resampling. */
void estimate_add(struct replicates *sum, double weight, const struct replicates *term);

/* The 95 % percentile interval. With blocks longer than one value there are only m = N / block
 * independent pieces; the interval is then widened about the estimate by the ratio of Student's t
 * for m - 1 degrees of freedom to the normal quantile, and by sqrt(m / (m - 1)). A single value has
 * no interval: both ends are NAN. */
void estimate_interval(const struct replicates *replicates, struct interval *interval);

/* Does the interval exclude 0? One with NAN ends does not. */
bool estimate_excludes_0(const struct interval *interval);

/* estimate_median_alone()'s interval. Returns 0 or -ENOMEM. */
int estimate_median_interval(const double *values, size_t n, uint64_t seed,
                             struct interval *interval, struct error *error);

/* The share of PART in PART + REST, 0 to 1: the median over N rounds of each round's share, so that
 * a drift between rounds affects both. PART is overwritten by the rounds' shares. Returns 0, or
 * -ENOMEM with ERROR set. */
int estimate_share_interval(double *part, const double *rest, size_t n, uint64_t seed,
                            struct interval *share, struct error *error);

/* Student's t distribution, with a relative error of at most 1e-9, for DEGREES of freedom above 0,
 * integer or not; INFINITY gives the normal distribution. */

/* The two-sided p-value: the probability that |t| with DEGREES of freedom is at least |T|. It is
 * the regularised incomplete beta function of degrees / (degrees + T^2) with parameters degrees / 2
 * and 1/2 (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.5.27). */
double student_p(double t, double degrees);

/* The 0.975 quantile: the T for which student_p() is 0.05, and so the factor on a standard error
 * for a 95 % interval. */
double student_975(double degrees);

/* The quantile of PROBABILITY, which is above 0.5 and below 1. */
double student_quantile(double probability, double degrees);
