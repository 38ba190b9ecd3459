/* Robust estimates and their confidence intervals. Pure functions of their arguments: the same
 * input and seed give the same output.
 *
 * The unit of evidence is the round, not the call: calls in a block share the conditions of the
 * moment, and an interval computed from single calls as if they were independent would be far too
 * narrow. */
#ifndef NFSBENCH_MEASURE_ESTIMATE_H
#define NFSBENCH_MEASURE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct interval {
    double estimate;
    double low, high; /* 95 % confidence interval; NAN when n is 1: one value says nothing of it */
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
 * survives; from 1 (they are independent) to N/4. Two things ask for long blocks:
 *
 * Neighbours. Where the lag-1 autocorrelation is above the noise of independent values
 * (1.96/sqrt(N)), twice N^(1/3) x (2 rho / (1 - rho^2))^(2/3) x 1.5^(1/3). Without the factor 2
 * that is the length at which the estimated variance is best for a first-order autoregression
 * (Politis and White, "Automatic Block-Length Selection for the Dependent Bootstrap", 2004);
 * intervals come out too short with it, because a block forgets what came before it.
 *
 * Slow changes, which neighbours hardly show. The variance of means of so many successive ranks is
 * looked at for lengths from there up to N/4, each half as long again. Where it grows by more than
 * twice the standard deviation that it has for independent values, sqrt(4 length / (3 N)), blocks
 * are twice the last such length.
 *
 * Both were found by simulation (tests/unit/test_estimate.c, doc/METHOD.md); Politis and White's
 * rule from all lags, corrected in 2009, was tried and covers less: a lag that is small by itself
 * passes for noise, however many there are of them. */
size_t estimate_block_length(const double *values, size_t n);

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
    double widen; /* factor on the interval: see estimate_interval(); infinite: there is none */
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
 * m - 1 degrees over the normal quantile, and by sqrt(m / (m - 1)). Of one value there is no
 * interval: its ends are NAN. */
void estimate_interval(const struct replicates *replicates, struct interval *interval);

/* Does the interval leave out 0? One without ends does not. */
bool estimate_leaves_out_0(const struct interval *interval);

/* The median of N values (N at least 1) with its interval; the block length is found from VALUES.
 * 0 or -ENOMEM. */
int estimate_median_interval(const double *values, size_t n, uint64_t seed,
                             struct interval *interval, struct error *error);

#endif
