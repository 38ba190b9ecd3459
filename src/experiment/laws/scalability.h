/* The Universal Scalability Law (N. J. Gunther, "Guerrilla Capacity Planning", 2007): with N calls
 * in flight the throughput is
 *
 *     X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)),
 *
 * where lambda is the throughput with one call in flight, sigma the share of the work that can't
 * run in parallel (contention), and kappa the cost of keeping each pair of calls consistent
 * (coherency). With kappa above 0 the throughput has a peak, after which more load reduces it.
 *
 * N / X(N) is linear in 1 / lambda, sigma / lambda and kappa / lambda, all of them at least 0. They
 * are estimated by least squares of the relative errors under these constraints. The solution is
 * exact, because every set of parameters that may be 0 is tried. The law is only a description:
 * residuals and FITS show how well it fits; the intervals, from the jackknife over units
 * (experiment/laws/jackknife.h), do not. */
#pragma once

#include "experiment/laws/load_point.h"

enum { SCALABILITY_CONCURRENCIES_LEAST = 4 /* number of parameters + 1; six are more reliable */ };

struct scalability {
    struct interval lambda; /* calls per second */
    /* If 0 is not excluded, LOW is 0 and HIGH is an upper bound. */
    struct interval sigma, kappa;
    /* PEAK_CONCURRENCY: the N (at least 1) at which X(N) is largest, sqrt((1 - sigma) / kappa). If
     * this N is beyond the measured concurrencies, the estimate and HIGH are INFINITY, and LOW is a
     * lower bound. PEAK_THROUGHPUT: X at this N. Without a peak, it is the limit of X(N): lambda /
     * sigma, or INFINITY if sigma is 0. If kappa may be 0, HIGH of both intervals is INFINITY. */
    struct interval peak_concurrency, peak_throughput;
    bool peak_beyond; /* the peak is beyond the largest measured concurrency */
    /* The share of the variance of the points' levels that the law explains, near 0 for a flat
     * curve even if the law fits well. */
    double r_squared;
    double residual_largest, residual_concurrency;
    /* Lack of fit: the largest |X / X(N) - 1| less its noise (two standard errors). */
    double misfit;
    /* the law's peak is within the sweep, but the throughput still grew at its end */
    bool denies_growth;
    /* The law fits if three conditions hold: MISFIT is not above the larger of
     * SCALABILITY_RESOLUTION and the relative half-width of lambda's interval, and never above
     * SCALABILITY_MISFIT_MOST; RESIDUAL_LARGEST is at most SCALABILITY_OFF_MOST; and DENIES_GROWTH
     * is false. Otherwise the curve has another form or is too noisy, and the parameters are
     * meaningless. */
    bool fits;
};

#define SCALABILITY_RESOLUTION  0.02
#define SCALABILITY_MISFIT_MOST 0.1
#define SCALABILITY_OFF_MOST    0.25

/* Fit the law to the throughputs of COUNT points, in any order. Returns 0, -EINVAL as
 * load_points_check(), -ENOMEM, -ENODATA for fewer concurrencies than
 * SCALABILITY_CONCURRENCIES_LEAST, or -EDOM if the throughput falls faster than the law allows
 * (lambda would be infinite). */
int scalability_fit(const struct load_point *points, size_t count, struct scalability *scalability,
                    struct error *error);
