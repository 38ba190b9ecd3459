/* The Universal Scalability Law, fitted to curves with known parameters. */
#include "test.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "measure/scalability.h"
#include "sweep_points.h"

static const double concurrencies[] = {1, 2, 4, 8, 12, 16, 32, 64};

enum { COUNT = COUNT_OF(concurrencies) };

static double usl(double n, double lambda, double sigma, double kappa)
{
    return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
}

static double with_peak(double n)
{
    return usl(n, 15000, 0.04, 0.0009);
}

static double amdahl(double n)
{
    return usl(n, 15000, 0.1, 0);
}

static double coherency_alone(double n)
{
    return usl(n, 15000, 0, 0.001);
}

static double linear(double n)
{
    return 2500 * n;
}

static double level(double n)
{
    return 90000 + 0 * n;
}

static double retrograde(double n)
{
    return usl(n, 1000, 1.5, 0.2);
}

/* Decreases with the fourth power, faster than with any lambda. */
static double collapse(double n)
{
    return 1e6 / pow(n, 4);
}

/* A server that serves at most 8 calls at a time does not follow the law. */
static double bounded(double n)
{
    return 10000 * fmin(n, 8);
}

static void fit_exact(double (*law)(double), struct scalability *scalability)
{
    struct sweep_points sweep;
    struct error error;

    sweep_points_fill(&sweep, concurrencies, COUNT, 1, law, 0, NULL);
    assert_int_equal(scalability_fit(sweep.points, COUNT, 1, scalability, &error), 0);
}

TEST_CASE(exact_recovery)
{
    struct scalability scalability;

    fit_exact(with_peak, &scalability);
    assert_near(scalability.lambda.estimate, 15000, 1e-4);
    assert_near(scalability.sigma.estimate, 0.04, 1e-9);
    assert_near(scalability.kappa.estimate, 0.0009, 1e-11);
    assert_near(scalability.peak_concurrency.estimate, sqrt(0.96 / 0.0009), 1e-6);
    assert_near(scalability.peak_throughput.estimate, with_peak(sqrt(0.96 / 0.0009)), 1e-3);
    assert_false(scalability.peak_beyond);
    assert_near(scalability.r_squared, 1, 1e-12);
    assert_near(scalability.residual_largest, 0, 1e-9);
    assert_true(scalability.fits);
    assert_near(10 * scalability.lambda.estimate /
                    (1 + 9 * scalability.sigma.estimate + 90 * scalability.kappa.estimate),
                with_peak(10), 1e-3);
    /* Without a second repeat the noise is unknown. */
    assert_near(scalability.sigma.low, scalability.sigma.estimate, 1e-15);
    assert_near(scalability.peak_concurrency.high, scalability.peak_concurrency.estimate, 1e-9);
}

/* Parameters at their limits. */
TEST_CASE(without_a_peak)
{
    struct scalability scalability;

    fit_exact(amdahl, &scalability);
    assert_near(scalability.sigma.estimate, 0.1, 1e-9);
    assert_near(scalability.kappa.estimate, 0, 0);
    assert_true(isinf(scalability.peak_concurrency.estimate));
    assert_true(isinf(scalability.peak_concurrency.low));
    assert_near(scalability.peak_throughput.estimate, 150000, 1e-2);
    assert_true(scalability.peak_beyond);

    fit_exact(linear, &scalability);
    assert_near(scalability.lambda.estimate, 2500, 1e-6);
    assert_near(scalability.sigma.estimate, 0, 0);
    assert_near(scalability.kappa.estimate, 0, 0);
    assert_true(isinf(scalability.peak_throughput.estimate));

    fit_exact(coherency_alone, &scalability);
    assert_near(scalability.sigma.estimate, 0, 1e-9);
    assert_near(scalability.kappa.estimate, 0.001, 1e-9);
}

TEST_CASE(level_and_falling_curves)
{
    struct scalability scalability;

    fit_exact(level, &scalability);
    assert_near(scalability.lambda.estimate, 90000, 1e-3);
    assert_near(scalability.sigma.estimate, 1, 1e-9);
    assert_near(scalability.kappa.estimate, 0, 1e-12);
    assert_near(scalability.peak_throughput.estimate, 90000, 1e-3);
    assert_near(scalability.residual_largest, 0, 1e-9);

    fit_exact(retrograde, &scalability);
    assert_near(scalability.sigma.estimate, 1.5, 1e-6);
    assert_near(scalability.kappa.estimate, 0.2, 1e-6);
    assert_near(scalability.peak_concurrency.estimate, 1, 0);
    assert_near(scalability.peak_throughput.estimate, 1000, 1e-3);
}

/* If the law does not fit, the residuals show it. */
TEST_CASE(misfit_is_told)
{
    struct scalability scalability;

    fit_exact(bounded, &scalability);
    assert_true(scalability.residual_largest > 0.1);
    assert_false(scalability.fits);
    assert_near(scalability.residual_concurrency, 8, 4);
    assert_true(scalability.r_squared > 0.8 && scalability.r_squared < 0.99);
    assert_true(scalability.kappa.estimate >= 0 && scalability.sigma.estimate >= 0);
}

TEST_CASE(what_is_refused)
{
    const double few[] = {1, 2, 4, 4}, high[] = {8, 16, 32, 64}, half[] = {0.5, 1, 2, 4};
    struct sweep_points sweep;
    struct scalability scalability;
    struct error error;

    sweep_points_fill(&sweep, few, 4, 2, linear, 0, NULL);
    assert_int_equal(scalability_fit(sweep.points, 4, 1, &scalability, &error), -ENODATA);
    assert_int_equal(scalability_fit(sweep.points, 1, 1, &scalability, &error), -ENODATA);
    assert_int_equal(scalability_fit(sweep.points, 0, 1, &scalability, &error), -ENODATA);
    sweep_points_fill(&sweep, half, 4, 2, linear, 0, NULL);
    assert_int_equal(scalability_fit(sweep.points, 4, 1, &scalability, &error), -EINVAL);
    sweep_points_fill(&sweep, high, 4, 2, collapse, 0, NULL);
    assert_int_equal(scalability_fit(sweep.points, 4, 1, &scalability, &error), -EDOM);
    sweep_points_fill(&sweep, high, 4, 2, linear, 0, NULL);
    sweep.throughput[2][1] = NAN;
    assert_int_equal(scalability_fit(sweep.points, 4, 1, &scalability, &error), -EINVAL);
    sweep.throughput[2][1] = 0;
    assert_int_equal(scalability_fit(sweep.points, 4, 1, &scalability, &error), -EINVAL);
    sweep.throughput[2][1] = 1;
    sweep.points[2].concurrency = NAN;
    assert_int_equal(scalability_fit(sweep.points, 4, 1, &scalability, &error), -EINVAL);
}

TEST_CASE(order_does_not_matter)
{
    const double shuffled[] = {64, 1, 12, 2, 32, 4, 16, 8};
    struct scalability in_order, out_of_order;
    struct sweep_points sweep;
    struct error error;

    fit_exact(bounded, &in_order);
    sweep_points_fill(&sweep, shuffled, COUNT, 1, bounded, 0, NULL);
    assert_int_equal(scalability_fit(sweep.points, COUNT, 1, &out_of_order, &error), 0);
    assert_near(in_order.sigma.estimate, out_of_order.sigma.estimate, 1e-9);
    assert_near(in_order.residual_largest, out_of_order.residual_largest, 1e-9);
}

static bool covers(const struct interval *interval, double truth)
{
    return interval->low <= truth && truth <= interval->high;
}

struct covered {
    double fits, lambda, sigma, kappa, peak_concurrency, peak_throughput;
};

/* The shares of 300 sweeps, of 5 repeats with 3 % noise, whose intervals cover the truth. */
static struct covered coverage(double (*law)(double), double lambda, double sigma, double kappa)
{
    double peak = kappa > 0 ? sqrt((1 - sigma) / kappa) : INFINITY;
    double highest = kappa > 0 ? law(peak) : lambda / sigma;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct covered covered = {0};
    int trials = 300;

    for (int i = 0; i < trials; i++) {
        struct scalability fit;
        struct sweep_points sweep;
        struct error error;

        sweep_points_fill(&sweep, concurrencies, COUNT, 5, law, 0.03, rng);
        assert_int_equal(scalability_fit(sweep.points, COUNT, (uint64_t)i, &fit, &error), 0);
        covered.fits += fit.fits / (double)trials;
        covered.lambda += covers(&fit.lambda, lambda) / (double)trials;
        covered.sigma += covers(&fit.sigma, sigma) / (double)trials;
        covered.kappa += covers(&fit.kappa, kappa) / (double)trials;
        covered.peak_concurrency += covers(&fit.peak_concurrency, peak) / (double)trials;
        covered.peak_throughput += covers(&fit.peak_throughput, highest) / (double)trials;
        assert_true(fit.r_squared > 0.8 && fit.residual_largest < 0.15);
    }
    gsl_rng_free(rng);
    print_message(
        "fits %.3f, coverage: lambda %.3f, sigma %.3f, kappa %.3f, peak at %.3f, of %.3f\n",
        covered.fits, covered.lambda, covered.sigma, covered.kappa, covered.peak_concurrency,
        covered.peak_throughput);
    return covered;
}

/* Four standard deviations of 300 trials at 95 % are 5 points. */
TEST_CASE(coverage)
{
    struct covered peak = coverage(with_peak, 15000, 0.04, 0.0009);
    struct covered bound = coverage(amdahl, 15000, 0.1, 0);

    assert_true(peak.fits >= 0.95 && bound.fits >= 0.95); /* noise is not misfit */
    assert_true(peak.lambda >= 0.9);
    assert_true(peak.sigma >= 0.9);
    assert_true(peak.kappa >= 0.9);
    assert_true(peak.peak_concurrency >= 0.9);
    assert_true(peak.peak_throughput >= 0.9);
    assert_true(bound.lambda >= 0.9);
    assert_true(bound.sigma >= 0.9);
    assert_true(bound.kappa >= 0.9); /* at its limit */
}

/* The intervals are useful: not much wider than the noise requires. */
TEST_CASE(interval_width)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct sweep_points sweep;
    struct scalability fit;
    struct error error;

    sweep_points_fill(&sweep, concurrencies, COUNT, 10, with_peak, 0.01, rng);
    assert_int_equal(scalability_fit(sweep.points, COUNT, 1, &fit, &error), 0);
    assert_true(fit.lambda.low < 15000 && 15000 < fit.lambda.high);
    assert_true(fit.lambda.high - fit.lambda.low < 0.03 * 15000);
    assert_true(fit.peak_concurrency.high - fit.peak_concurrency.low < 4);
    gsl_rng_free(rng);
}
