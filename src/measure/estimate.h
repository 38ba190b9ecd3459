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

/* The median of N values (N at least 1; the mean of the middle two when N is even). Reorders
 * VALUES; expected time linear in N. */
double estimate_median(double *values, size_t n);

/* The lag-1 autocorrelation of N values in their order, robust to outliers (computed on their
 * ranks: Spearman's coefficient of the series with itself shifted by one); 0 for N under 4 or a
 * constant series. */
double estimate_autocorrelation(const double *values, size_t n);

/* The length of the blocks in which a bootstrap must resample VALUES, so that their dependence
 * survives: 1 where the lag-1 autocorrelation is within the noise of independent values
 * (1.96/sqrt(N)), else rounded from N^(1/3) x (2 rho / (1 - rho^2))^(2/3), the optimum for a
 * first-order autoregression (Politis and White, "Automatic Block-Length Selection for the
 * Dependent Bootstrap", 2004), between 2 and N/4. */
size_t estimate_block_length(const double *values, size_t n);

/* The median of N values (N at least 1) with its 95 % percentile bootstrap interval: REPLICATES
 * resamples (1000 is usual), drawn from SEED, in circular blocks of estimate_block_length().
 * Returns 0 or -ENOMEM. Takes about N x REPLICATES x 5 ns. */
int estimate_median_interval(const double *values, size_t n, size_t replicates, uint64_t seed,
                             struct interval *interval, struct error *error);

/* The same of the paired differences a[i] - b[i]. */
int estimate_difference(const double *a, const double *b, size_t n, size_t replicates,
                        uint64_t seed, struct interval *interval, struct error *error);

#endif
