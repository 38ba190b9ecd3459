/* Robust estimates and their confidence intervals. Pure functions of their arguments: the same
 * input and seed give the same output.
 *
 * The unit of evidence is the round, not the call: calls in a block share the weather, and an
 * interval computed from single calls as if they were independent would be far too narrow. */
#ifndef NFSBENCH_MEASURE_ESTIMATE_H
#define NFSBENCH_MEASURE_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct interval {
    double estimate;
    double low, high; /* 95 % confidence interval; both equal the estimate when n is 1 */
};

/* Sort N values, smallest first. */
void estimate_sort(double *values, size_t n);

/* Of N sorted values (N at least 1): the mean of what is left when the fraction TRIM (0 to under
 * 0.5) of the values, rounded down, is cut from each end. */
double estimate_trimmed_mean(const double *sorted, size_t n, double trim);

/* Of N sorted values (N at least 1): the quantile Q by nearest rank, ceil(Q x N). */
double estimate_quantile(const double *sorted, size_t n, double q);

/* The median of N values (N at least 1; the mean of the middle two when N is even). Sorts
 * VALUES. */
double estimate_median(double *values, size_t n);

/* The lag-1 autocorrelation of N values in their order, robust to outliers (computed on their
 * ranks: Spearman's coefficient of the series with itself shifted by one); 0 for N under 4 or a
 * constant series. */
double estimate_autocorrelation(const double *values, size_t n);

/* The length of the blocks in which a bootstrap must resample VALUES, so that their dependence
 * survives: 1 where the lag-1 autocorrelation is within the noise of independent values
 * (1.96/sqrt(N)), else twice N^(1/3) x (2 rho / (1 - rho^2))^(2/3) x 1.5^(1/3), rounded, between 2
 * and N/4. Without the factor 2 that is the length at which the estimated variance is best for a
 * first-order autoregression (Politis and White, "Automatic Block-Length Selection for the
 * Dependent Bootstrap", 2004); intervals come out too short with it, because a block forgets what
 * came before it, and cover better with longer blocks (measured in tests/unit/test_estimate.c). */
size_t estimate_block_length(const double *values, size_t n);

/* Student's quantile for a 95 % interval, by its expansion about the normal one (Fisher and
 * Cornish, 1960): good to 1 % from 3 DEGREES of freedom on, 3 % short with 2, 24 % with 1. */
double estimate_student_975(double degrees);

enum { ESTIMATE_REPLICATES = 1000 };

/* How to resample. Replicates of different values made with the same resampling belong together,
 * one by one: each is made of the same rounds, so that sums and differences of estimates have
 * replicates, too. */
struct resampling {
    size_t n;     /* values, at least 1 */
    size_t block; /* of consecutive values, resampled together: 1 to N */
    uint64_t seed;
};

/* An estimate, and what it comes to on each of the resamples. */
struct replicates {
    double estimate;
    double widen; /* factor on the interval: see estimate_interval() */
    double values[ESTIMATE_REPLICATES];
};

/* The median of VALUES, with replicates in circular blocks (Politis and Romano). 0 or -ENOMEM.
 * Takes about N x 1000 x 5 ns. */
int estimate_median_replicates(const double *values, const struct resampling *resampling,
                               struct replicates *replicates, struct error *error);

/* SUM += WEIGHT x TERM, both made with one resampling. */
void estimate_add(struct replicates *sum, double weight, const struct replicates *term);

/* The 95 % percentile interval. With blocks longer than one value there are only N / block pieces
 * of independent evidence, m: then the interval is widened about the estimate by Student's t for
 * m - 1 degrees over the normal quantile, and by sqrt(m / (m - 1)). */
void estimate_interval(const struct replicates *replicates, struct interval *interval);

/* The median of N values (N at least 1) with its interval; the block length is found from VALUES.
 * 0 or -ENOMEM. */
int estimate_median_interval(const double *values, size_t n, uint64_t seed,
                             struct interval *interval, struct error *error);

#endif
