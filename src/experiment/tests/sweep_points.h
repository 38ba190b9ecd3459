/* Points of a simulated sweep over concurrency. */
#pragma once

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "experiment/laws/load_point.h"

enum { SWEEP_POINTS_MAXIMUM = 16, SWEEP_REPEATS_MAXIMUM = 10 };

struct sweep_points {
    size_t count, repeats;
    struct load_point points[SWEEP_POINTS_MAXIMUM];
    double throughput[SWEEP_POINTS_MAXIMUM][SWEEP_REPEATS_MAXIMUM];
    double response_ns[SWEEP_POINTS_MAXIMUM][SWEEP_REPEATS_MAXIMUM];
};

/* Set SWEEP to points at the COUNT CONCURRENCIES, with REPEATS repeats each: LAW's throughput, with
 * relative noise SIGMA from RNG (NULL: no noise), and the response time by Little's law. */
static inline void sweep_points_simulate(struct sweep_points *sweep, const double *concurrencies,
                                         size_t count, size_t repeats,
                                         double (*law)(double concurrency), double sigma,
                                         gsl_rng *rng)
{
    sweep->count = count;
    sweep->repeats = repeats;
    for (size_t i = 0; i < count; i++) {
        double n = concurrencies[i];

        for (size_t k = 0; k < repeats; k++) {
            double x = law(n) * (rng ? 1 + gsl_ran_gaussian(rng, sigma) : 1);

            sweep->throughput[i][k] = x;
            sweep->response_ns[i][k] = n / x * 1e9;
        }
        sweep->points[i] = (struct load_point){
            n, {sweep->throughput[i], repeats}, {sweep->response_ns[i], repeats}, {NULL, 0}};
    }
}
