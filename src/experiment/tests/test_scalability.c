/* The Universal Scalability Law, fitted to curves with known parameters. */
#include "test.h"

#include "experiment/laws/scalability.h"
#include "simulation.h"
#include "sweep_points.h"

static const double concurrencies[] = {1, 2, 4, 8, 12, 16, 32, 64};

enum { COUNT = COUNT_OF(concurrencies) };

static double usl(double n, double lambda, double sigma, double kappa)
{
    return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
}

CURVE(with_peak, n, usl(n, 15000, 0.04, 0.0009))
CURVE(amdahl, n, usl(n, 15000, 0.1, 0))
CURVE(coherency_alone, n, usl(n, 15000, 0, 0.001))
CURVE(linear, n, 2500 * n)
CURVE(level, n, 90000 + 0 * n)
CURVE(retrograde, n, usl(n, 1000, 1.5, 0.2))

/* A throughput that falls with the fourth power of N, faster than the law allows. */
CURVE(collapse, n, 1e6 / pow(n, 4))

/* A server that serves at most 8 calls at a time does not follow the law. */
CURVE(bounded, n, 10000 * fmin(n, 8))

static struct sweep_points sweep;
static struct scalability scalability;

static int fit_sweep(size_t count)
{
    struct error error;

    return scalability_fit(sweep.points, count, &scalability, &error);
}

static void fit_exact(double (*law)(double))
{
    sweep_points_simulate(&sweep, concurrencies, COUNT, 1, law, 0, NULL);
    assert_int_equal(fit_sweep(COUNT), 0);
}

static void assert_close(double a, double b, double tolerance)
{
    if (isinf(b))
        assert_true(isinf(a));
    else
        assert_near(a, b, tolerance * b);
}

/* For a curve that follows the law, the fit returns the parameters, even those at their limits. */
TEST_CASE(exact_recovery)
{
    static const struct {
        double (*law)(double);
        double lambda, sigma, kappa, peak_concurrency, peak_throughput;
        double tolerance; /* largest error of sigma and kappa that passes */
        bool beyond;
    } cases[] = {
        {with_peak, 15000, 0.04, 0.0009, 32.659863237109043, 153236.737116, 1e-11, false},
        {amdahl, 15000, 0.1, 0, INFINITY, 150000, 1e-9, true},
        {linear, 2500, 0, 0, INFINITY, INFINITY, 0, true},
        {coherency_alone, 15000, 0, 0.001, 31.622776601683793, 240981.069780, 1e-9, false},
        {level, 90000, 1, 0, 1, 90000, 1e-9, false},
        {retrograde, 1000, 1.5, 0.2, 1, 1000, 1e-6, false},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        print_message("law %zu\n", i);
        fit_exact(cases[i].law);
        assert_close(scalability.lambda.estimate, cases[i].lambda, 1e-8);
        assert_near(scalability.sigma.estimate, cases[i].sigma, cases[i].tolerance);
        assert_near(scalability.kappa.estimate, cases[i].kappa, cases[i].tolerance);
        assert_close(scalability.peak_concurrency.estimate, cases[i].peak_concurrency, 1e-7);
        assert_close(scalability.peak_throughput.estimate, cases[i].peak_throughput, 1e-6);
        assert_all(
            (scalability.peak_beyond, cases[i].beyond), (scalability.residual_largest, 0, 1e-9),
            (scalability.r_squared, cases[i].law == level ? 0 : 1, 1e-9), (scalability.fits));
        /* With one repeat the noise is unknown. */
        assert_all((isnan(scalability.sigma.low)), (isnan(scalability.sigma.high)),
                   (isnan(scalability.peak_concurrency.low)));
    }
}

/* If the law does not fit, the residuals show it. */
TEST_CASE(misfit_is_told)
{
    fit_exact(bounded);
    assert_all((scalability.residual_largest > 0.1), (!scalability.fits),
               (scalability.residual_concurrency, 8, 4),
               (scalability.r_squared > 0.8 && scalability.r_squared < 0.99),
               (scalability.kappa.estimate >= 0 && scalability.sigma.estimate >= 0));
}

TEST_CASE(what_is_refused)
{
    static const double few[] = {1, 2, 4, 4}, high[] = {8, 16, 32, 64}, half[] = {0.5, 1, 2, 4};
    static const struct {
        const double *concurrencies;
        double (*law)(double);
        size_t count;
        /* factors for the third point: for its second repeat's throughput, for its concurrency */
        double throughput, concurrency;
        int code;
    } cases[] = {{few, linear, 4, 1, 1, -ENODATA}, {few, linear, 1, 1, 1, -ENODATA},
                 {few, linear, 0, 1, 1, -ENODATA}, {half, linear, 4, 1, 1, -EINVAL},
                 {high, collapse, 4, 1, 1, -EDOM}, {high, linear, 4, NAN, 1, -EINVAL},
                 {high, linear, 4, 0, 1, -EINVAL}, {high, linear, 4, 1, NAN, -EINVAL}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        sweep_points_simulate(&sweep, cases[i].concurrencies, 4, 2, cases[i].law, 0, NULL);
        sweep.throughput[2][1] *= cases[i].throughput;
        sweep.points[2].concurrency *= cases[i].concurrency;
        if (fit_sweep(cases[i].count) != cases[i].code)
            fail_msg("case %zu was not refused", i);
    }
}

TEST_CASE(order_does_not_matter)
{
    static const double shuffled[] = {64, 1, 12, 2, 32, 4, 16, 8};
    struct scalability in_order;

    fit_exact(bounded);
    in_order = scalability;
    sweep_points_simulate(&sweep, shuffled, COUNT, 1, bounded, 0, NULL);
    assert_all((fit_sweep(COUNT), 0), (in_order.sigma.estimate, scalability.sigma.estimate, 1e-9),
               (in_order.residual_largest, scalability.residual_largest, 1e-9));
}

/* Check that in at least 90 % of 300 sweeps (5 repeats with 3 % noise) each interval covers the
 * true value. 90 % is about four standard deviations below the nominal 95 %. */
static void check_coverage(double (*law)(double), double lambda, double sigma, double kappa)
{
    double peak = sqrt((1 - sigma) / kappa);
    const struct {
        const char *name;
        const struct interval *interval;
        double truth;
    } cases[] = {{"lambda", &scalability.lambda, lambda},
                 {"sigma", &scalability.sigma, sigma},
                 {"kappa", &scalability.kappa, kappa},
                 {"peak", &scalability.peak_concurrency, peak},
                 {"highest", &scalability.peak_throughput, kappa > 0 ? law(peak) : lambda / sigma}};
    enum { TRIALS = 300 };
    gsl_rng *rng = seeded(0);
    unsigned covered[COUNT_OF(cases)] = {0}, fits = 0;

    for (int i = 0; i < TRIALS; i++) {
        sweep_points_simulate(&sweep, concurrencies, COUNT, 5, law, 0.03, rng);
        assert_int_equal(fit_sweep(COUNT), 0);
        fits += scalability.fits;
        for (size_t j = 0; j < COUNT_OF(cases); j++)
            covered[j] += covers(cases[j].interval, cases[j].truth);
        assert_true(scalability.r_squared > 0.8 && scalability.residual_largest < 0.15);
    }
    assert_true(fits >= 0.95 * TRIALS); /* noise does not count as misfit */
    for (size_t j = 0; j < COUNT_OF(cases); j++) {
        print_message("%s covered in %.3f\n", cases[j].name, covered[j] / (double)TRIALS);
        assert_true(covered[j] >= 0.9 * TRIALS);
    }
}

TEST_CASE(coverage)
{
    check_coverage(with_peak, 15000, 0.04, 0.0009);
    check_coverage(amdahl, 15000, 0.1, 0); /* kappa is at its limit, 0 */
}

/* With 1 % noise and 10 repeats, lambda's and peak_concurrency's intervals are narrow. */
TEST_CASE(interval_width)
{
    sweep_points_simulate(&sweep, concurrencies, COUNT, 10, with_peak, 0.01, seeded(0));
    assert_all((fit_sweep(COUNT), 0),
               (scalability.lambda.low < 15000 && 15000 < scalability.lambda.high),
               (scalability.lambda.high - scalability.lambda.low < 0.03 * 15000),
               (scalability.peak_concurrency.high - scalability.peak_concurrency.low < 4));
}
