/* The jackknife over units: leaving out a unit, intervals and bounds, their coverage, and their
 * width compared with that of resampling each point separately. Also the mean number of calls in
 * flight, and the fairness, of load.h. */
#include "test.h"

#include "experiment/laws/jackknife.h"
#include "experiment/laws/scalability.h"
#include "measure/load.h"
#include "simulation.h"

enum { POINTS = 8, UNITS_MOST = 10 };

static struct error error;

/* Context of a fit whose figures are the first level and the sum of all levels. POINTS: number of
 * levels. FITS: number of calls of the fit. OF_ALL: number of these calls with ALL. */
struct summing {
    size_t points, fits, of_all;
};

static int fit_sum(void *context, const double *levels, bool all, double *figures,
                   struct error *failure)
{
    struct summing *summing = context;

    summing->fits++;
    summing->of_all += all;
    figures[0] = levels[0];
    figures[1] = 0;
    for (size_t i = 0; i < summing->points; i++)
        figures[1] += levels[i];
    return 0;
}

/* Expected values by hand; a mean's interval is Student's. The second cell lacks the last unit. */
TEST_CASE(a_unit_is_left_out)
{
    static const double a[] = {5, 1, 3}, b[] = {2, 4};
    const struct repeats repeats[] = {{a, 3}, {b, 2}};
    struct summing summing = {.points = 2};
    struct jackknife jackknife;
    struct interval interval;

    assert_all(
        (jackknife_make(&jackknife, repeats, sizeof *repeats, 2, 2, fit_sum, &summing, &error), 0),
        (jackknife.units, 3), (summing.fits, 4), (summing.of_all, 1));
    for (size_t row = 0; row < 4; row++) {
        static const double expected[][2] = {{3, 6}, {2, 6}, {4, 6}, {3, 6}};

        assert_near(jackknife.rows[2 * row], expected[row][0], 1e-12);
        assert_near(jackknife.rows[2 * row + 1], expected[row][1], 1e-12);
    }
    assert_near(jackknife_error(&jackknife, 0), 2 / sqrt(3), 1e-12);
    interval = jackknife_interval(&jackknife, 0);
    assert_near(interval.low, 3 - 4.302652729911 * 2 / sqrt(3), 1e-9);
    assert_near(interval.high, 3 + 4.302652729911 * 2 / sqrt(3), 1e-9);
    /* With logarithms, both ends are above 0 and symmetric as ratios. */
    interval = jackknife_positive(&jackknife, 0);
    assert_all((interval.low > 0), (interval.low * interval.high, 9, 1e-9));
    /* If the interval reaches 0, the upper bound starts from the largest fit, 4. */
    interval = jackknife_bounded(&jackknife, 0, 0);
    assert_all((interval.low, 0, 0), (interval.high, 4 + 2.919985580356 * 2 / sqrt(3), 1e-9),
               (jackknife_upper(&jackknife, 0), interval.high, 1e-12),
               (jackknife_lower(&jackknife, 0) > 0 && jackknife_lower(&jackknife, 0) < 2));
    jackknife_free(&jackknife);
}

TEST_CASE(the_noise_of_one_unit_is_unknown)
{
    static const double value = 42;
    const struct repeats repeats = {&value, 1};
    struct interval interval;

    assert_all((jackknife_level(&repeats, false, &interval, &error), 0), (interval.estimate, 42, 0),
               (isnan(interval.low)), (isnan(interval.high)));
}

TEST_CASE(batches)
{
    double rounds[90], batches[JACKKNIFE_BATCHES];

    for (size_t i = 0; i < 90; i++)
        rounds[i] = (double)i;
    assert_int_equal(jackknife_batch(rounds, 90, batches), JACKKNIFE_BATCHES);
    assert_near(batches[0], 1.5, 0); /* median of 0 to 3 */
    assert_near(batches[1], 6, 0);   /* median of 4 to 8 */
    assert_all((batches[19], 87, 0), (rounds[89], 89, 0), (jackknife_batch(rounds, 3, batches), 3),
               (batches[2], 2, 0));
}

/* Standard deviations, relative to the level, of the noise that all points of a unit share
 * (TOGETHER), and of each point's independent noise (ALONE). */
struct noise {
    double together, alone;
};

/* Return the share of trials in which the interval covers a cell's true level, 1. */
static double level_coverage(size_t units, double sigma, bool is_difference)
{
    enum { TRIALS = 400 };
    gsl_rng *rng = seeded(0);
    int covered = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        double values[UNITS_MOST];
        const struct repeats repeats = {values, units};
        struct interval interval;

        for (size_t k = 0; k < units; k++)
            values[k] = 1 + gsl_ran_gaussian(rng, sigma);
        assert_int_equal(jackknife_level(&repeats, is_difference, &interval, &error), 0);
        covered += covers(&interval, 1);
    }
    return (double)covered / TRIALS;
}

/* Four standard deviations of the coverage in 400 trials at 95 % are 4.4 percentage points. Many of
 * the simulated differences are below 0. */
TEST_CASE(levels_are_covered)
{
    static const size_t units[] = {2, 3, 5, 10};

    for (size_t i = 0; i < COUNT_OF(units); i++) {
        const double level = level_coverage(units[i], 0.05, false);
        const double difference = level_coverage(units[i], 2, true);

        print_message("%2zu units: levels covered %.3f, differences %.3f\n", units[i], level,
                      difference);
        assert_all((level, 0.95, 0.044), (difference, 0.95, 0.044));
    }
}

static const double depths[] = {1, 2, 4, 8, 16, 32, 64};

enum { DEPTHS = COUNT_OF(depths) };

struct curve {
    double throughput[DEPTHS][UNITS_MOST], response_ns[UNITS_MOST];
    struct load_point points[DEPTHS];
};

#define LAMBDA 15000.0
#define SIGMA  0.04

static void simulate_curve(gsl_rng *rng, struct curve *curve, size_t units, double kappa,
                           const struct noise *noise)
{
    for (size_t k = 0; k < units; k++) {
        const double level = 1 + gsl_ran_gaussian(rng, noise->together);

        curve->response_ns[k] = 1;
        for (size_t i = 0; i < DEPTHS; i++) {
            const double n = depths[i];

            curve->throughput[i][k] = level * (1 + gsl_ran_gaussian(rng, noise->alone)) * LAMBDA *
                                      n / (1 + SIGMA * (n - 1) + kappa * n * (n - 1));
        }
    }
    for (size_t i = 0; i < DEPTHS; i++)
        curve->points[i] = (struct load_point){
            depths[i], {curve->throughput[i], units}, {curve->response_ns, units}, {NULL, 0}};
}

/* Return the width of sigma's interval if the units of each point are resampled separately, as if
 * they were independent: percentiles of 200 fits to medians, widened for the degrees of freedom. */
static double width_of_points_alone(gsl_rng *rng, const struct curve *curve, size_t units)
{
    enum { RESAMPLES = 200 };
    double sigmas[RESAMPLES], one = 1;

    for (size_t r = 0; r < RESAMPLES; r++) {
        struct load_point points[DEPTHS];
        double drawn[UNITS_MOST], medians[DEPTHS];
        struct scalability law;

        for (size_t i = 0; i < DEPTHS; i++) {
            for (size_t k = 0; k < units; k++)
                drawn[k] = curve->throughput[i][gsl_rng_uniform_int(rng, units)];
            medians[i] = estimate_median(drawn, units);
            points[i] = (struct load_point){depths[i], {&medians[i], 1}, {&one, 1}, {NULL, 0}};
        }
        assert_int_equal(scalability_fit(points, DEPTHS, &law, &error), 0);
        sigmas[r] = law.sigma.estimate;
    }
    estimate_sort(sigmas, RESAMPLES);
    return (estimate_quantile(sigmas, RESAMPLES, 0.975) -
            estimate_quantile(sigmas, RESAMPLES, 0.025)) *
           student_975((double)(DEPTHS * (units - 1))) / student_975(INFINITY);
}

struct found {
    double covered, width, alone;
};

static struct found measure_coverage(size_t units, const struct noise *noise)
{
    enum { TRIALS = 300, COMPARED = 30 };
    gsl_rng *rng = seeded(11);
    struct found found = {0};

    for (int i = 0; i < TRIALS; i++) {
        struct scalability law;
        struct curve curve;

        simulate_curve(rng, &curve, units, 0.0009, noise);
        assert_int_equal(scalability_fit(curve.points, DEPTHS, &law, &error), 0);
        found.covered += covers(&law.sigma, SIGMA) / (double)TRIALS;
        found.width += (law.sigma.high - law.sigma.low) / TRIALS;
        if (i < COMPARED)
            found.alone += width_of_points_alone(rng, &curve, units) / COMPARED;
    }
    return found;
}

/* If the levels of units vary by 5 % in common, the shape of the curve is known much better than
 * separately resampled points suggest. Without this variation, sigma's interval is less than 1.5
 * times as wide. In all cases, 90 to 98 % of the intervals cover the true sigma. */
TEST_CASE(units_move_together)
{
    static const struct {
        size_t units;
        struct noise noise;
        double most; /* largest width that passes / width of points resampled separately */
    } cases[] = {{5, {0.05, 0.005}, 0.5},
                 {5, {0.05, 0.002}, 0.5},
                 {5, {0, 0.01}, 1.5},
                 {3, {0.05, 0.005}, 0.7},
                 {10, {0.05, 0.005}, 0.5}};

    print_message("units  together  alone  covered    width  of points alone\n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct found found = measure_coverage(cases[i].units, &cases[i].noise);

        print_message("%5zu  %6.1f %%  %.1f %%    %.3f  %.5f  %.5f\n", cases[i].units,
                      100 * cases[i].noise.together, 100 * cases[i].noise.alone, found.covered,
                      found.width, found.alone);
        assert_true(found.covered >= 0.9 && found.covered <= 0.98);
        assert_true(found.width < cases[i].most * found.alone);
    }
}

/* The curve has no peak, or its peak is far beyond the data. The interval of the peak begins below
 * the peak in at least 93 % of the sweeps. The interval of kappa ends above kappa as often. */
TEST_CASE(borders_are_one_sided)
{
    enum { TRIALS = 300 };
    static const double kappas[] = {0, 0.00002};
    static const struct noise noise = {0.05, 0.02};

    for (size_t i = 0; i < COUNT_OF(kappas); i++) {
        const double peak = kappas[i] > 0 ? sqrt((1 - SIGMA) / kappas[i]) : INFINITY;
        gsl_rng *rng = seeded(13);
        double below = 0, no_peak = 0, growth = 0;

        for (int trial = 0; trial < TRIALS; trial++) {
            struct scalability law;
            struct curve curve;
            struct knee knee;

            simulate_curve(rng, &curve, 5, kappas[i], &noise);
            assert_int_equal(scalability_fit(curve.points, DEPTHS, &law, &error), 0);
            assert_true(law.kappa.low >= 0 && law.sigma.low >= 0 && law.lambda.low > 0);
            assert_true(law.peak_concurrency.low >= 1 && law.peak_throughput.low > 0);
            below += (law.kappa.high >= kappas[i]) / (double)TRIALS;
            no_peak += (law.peak_concurrency.low <= peak) / (double)TRIALS;
            if (law.peak_beyond)
                assert_true(isinf(law.peak_concurrency.estimate) &&
                            isinf(law.peak_concurrency.high));
            assert_int_equal(load_point_knee(curve.points, DEPTHS, &knee, &error), 0);
            assert_true(knee.concurrency.low > 0 && knee.throughput_maximum.low > 0);
            assert_int_equal(knee.lower_bound, isinf(knee.concurrency.high));
            growth += knee.lower_bound && law.fits && !law.peak_beyond;
        }
        print_message("kappa %.5f: below its bound in %.3f, no peak below its bound in %.3f\n",
                      kappas[i], below, no_peak);
        assert_all((below >= 0.93 && no_peak >= 0.93), (growth, 0, 0));
    }
}

TEST_CASE(in_flight)
{
    struct load load = {.clients = 3, .connections = 2, .depth = 2};

    assert_all((load_mean_in_flight(&load, 1e6, 1e4), 10, 1e-9),
               (load_mean_in_flight(&load, 1e6, 14.25e3), 12, 0));
    load.rate = 1;
    assert_near(load_mean_in_flight(&load, 1e6, 14.25e3), 14.25, 1e-9);
}

TEST_CASE(fairness)
{
    static const struct {
        double figures[5];
        size_t count;
        double fairness;
    } cases[] = {
        {{3, 3, 3, 3}, 4, 1}, {{0, 7, 0, 0, 0}, 5, 0.2}, {{2, 0, 2, 0}, 4, 0.5}, {{0, 0}, 2, 1},
        {{0}, 0, 1},          {{1, 2, 3}, 3, 36.0 / 42}};

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_near(load_fairness(cases[i].figures, cases[i].count), cases[i].fairness, 1e-15);
}
