/* The Universal Scalability Law (N. J. Gunther, "Guerrilla Capacity Planning", 2007): with N calls
 * in flight the throughput is
 *
 *     X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)),
 *
 * lambda being that of a single one, sigma the share of the work that can't be done side by side
 * (contention), kappa what keeping each consistent with each other costs (coherency). With kappa
 * over 0 there is a peak, after which more load makes less throughput.
 *
 * N / X(N) is linear in 1 / lambda, sigma / lambda and kappa / lambda, all of them at least 0. They
 * are found by least squares of the relative errors under these constraints; with three parameters
 * every set of them that may be 0 is tried, which is exact. The law is a description: how well it
 * fits is shown by the residuals, not by the intervals, which know the repeats' noise alone; and by
 * FITS. */
#ifndef NFSBENCH_MEASURE_SCALABILITY_H
#define NFSBENCH_MEASURE_SCALABILITY_H

#include "measure/load_point.h"

enum { SCALABILITY_CONCURRENCIES_LEAST = 4 /* one more than parameters; six are better */ };

struct scalability {
    struct interval lambda; /* calls per second */
    struct interval sigma, kappa;
    /* Where X(N) is largest, from 1 on: sqrt((1 - sigma) / kappa), and X there. INFINITY where
     * there is no peak; then the throughput tends to lambda / sigma, or, with sigma 0, INFINITY. */
    struct interval peak_concurrency, peak_throughput;
    bool peak_beyond; /* the peak lies beyond the largest concurrency that was measured */
    /* Of the points' levels, as throughputs: the share of their variance that the law explains
     * (near 0 for a level curve, however well it fits), and the largest |X / X(N) - 1|, with the
     * concurrency where it is. */
    double r_squared;
    double residual_largest, residual_concurrency;
    /* By how much a point is off the law beyond its own noise (two deviations of its level), at
     * most, as a share; and is that within lambda's interval, or SCALABILITY_RESOLUTION? Where it
     * is not, the curve has another form, and no parameter of this one means anything. */
    double misfit;
    bool fits;
};

#define SCALABILITY_RESOLUTION 0.02

/* Fit the law to the throughputs of COUNT points, in any order. 0; -EINVAL and -ENOMEM as
 * load_point_knee(); -ENODATA with fewer concurrencies than SCALABILITY_CONCURRENCIES_LEAST; -EDOM
 * where the throughput falls faster than the law can (its lambda would be infinite). */
int scalability_fit(const struct load_point *points, size_t count, uint64_t seed,
                    struct scalability *scalability, struct error *error);

#endif
