/* The cost as a function of size, for curves with known breaks. */
#include "test.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>

#include "measure/piecewise.h"

enum { SIZES_MAXIMUM = 40, REPEATS_MAXIMUM = 10 };

struct simulated {
    size_t count, repeats;
    struct piecewise_point points[SIZES_MAXIMUM];
    double costs[SIZES_MAXIMUM][REPEATS_MAXIMUM];
};

/* COUNT sizes from 512 on, each FACTOR times the previous one, REPEATS times each, with relative
 * noise SIGMA. */
static void simulate(struct simulated *simulated, size_t count, double factor, size_t repeats,
                     double (*cost)(double), double sigma, gsl_rng *rng)
{
    simulated->count = count;
    simulated->repeats = repeats;
    for (size_t i = 0; i < count; i++) {
        double size = floor(512 * pow(factor, (double)i));

        for (size_t k = 0; k < repeats; k++)
            simulated->costs[i][k] = cost(size) * (1 + (rng ? gsl_ran_gaussian(rng, sigma) : 0));
        simulated->points[i] = (struct piecewise_point){size, {simulated->costs[i], repeats}, 0};
    }
}

static void fit(const struct simulated *simulated, struct piecewise *piecewise)
{
    struct error error;

    assert_int_equal(piecewise_fit(simulated->points, simulated->count, 1, piecewise, &error), 0);
}

static double line(double size)
{
    return 9000 + 0.1 * size;
}

static double level(double size)
{
    return 9000 + 0 * size;
}

/* From 1500 bytes on there is a second packet: a step of 2 us, and each byte costs more. */
static double step(double size)
{
    return size <= 1500 ? 9000 + 0.2 * size : 11000 + 0.35 * size;
}

/* Only the slope changes: beyond 32 KiB a buffer is full. */
static double bend(double size)
{
    return 9000 + 0.1 * size + (size > 32768 ? 0.2 * (size - 32768) : 0);
}

static double two_breaks(double size)
{
    if (size <= 1500)
        return 9000 + 0.5 * size;
    return size <= 65536 ? 12000 + 0.2 * size : 40000 + 0.4 * size;
}

TEST_CASE(exact_recovery)
{
    struct simulated simulated;
    struct piecewise fitted;

    simulate(&simulated, 24, sqrt(2), 3, step, 0, NULL);
    fit(&simulated, &fitted);
    assert_int_equal(fitted.breaks, 1);
    assert_near(fitted.at[0].size.estimate, 1448, 0);
    assert_near(fitted.at[0].next, 2048, 0);
    assert_near(fitted.at[0].size.low, 1448, 0);
    assert_near(fitted.at[0].size.high, 2048, 0);
    assert_near(fitted.at[0].jump_ns.estimate, 2000 + 0.15 * (1448 + 2048) / 2, 1e-3);
    assert_near(fitted.piece[0].first, 512, 0);
    assert_near(fitted.piece[0].last, 1448, 0);
    assert_near(fitted.piece[0].fixed_ns.estimate, 9000, 1e-3);
    assert_near(fitted.piece[0].ns_per_byte.estimate, 0.2, 1e-6);
    assert_near(fitted.piece[1].first, 2048, 0);
    assert_near(fitted.piece[1].fixed_ns.estimate, 11000, 1e-3);
    assert_near(fitted.piece[1].ns_per_byte.estimate, 0.35, 1e-6);
    assert_near(fitted.residual_largest, 0, 1e-9);
}

TEST_CASE(straight_and_level)
{
    struct simulated simulated;
    struct piecewise fitted;

    simulate(&simulated, 12, 2, 1, line, 0, NULL);
    fit(&simulated, &fitted);
    assert_int_equal(fitted.breaks, 0);
    assert_near(fitted.piece[0].fixed_ns.estimate, 9000, 1e-6);
    assert_near(fitted.piece[0].ns_per_byte.estimate, 0.1, 1e-9);
    simulate(&simulated, 12, 2, 5, level, 0, NULL);
    fit(&simulated, &fitted);
    assert_int_equal(fitted.breaks, 0);
    assert_near(fitted.piece[0].ns_per_byte.estimate, 0, 1e-12);
    simulate(&simulated, 3, 2, 5, step, 0, NULL); /* too few for a break */
    fit(&simulated, &fitted);
    assert_int_equal(fitted.breaks, 0);
}

/* The sizes of a sweep by doubling, with one disturbed repeat in five. */
TEST_CASE(doubling)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct simulated simulated;
    struct piecewise fitted;

    simulate(&simulated, 12, 2, 5, two_breaks, 0.005, rng);
    for (size_t i = 0; i < simulated.count; i++)
        simulated.costs[i][i % 5] *= 1.5;
    fit(&simulated, &fitted);
    assert_int_equal(fitted.breaks, 2);
    assert_near(fitted.at[0].size.estimate, 1024, 0);
    assert_near(fitted.at[1].size.estimate, 65536, 0);
    assert_near(fitted.piece[2].ns_per_byte.estimate, 0.4, 0.03);
    gsl_rng_free(rng);
}

TEST_CASE(bend_is_no_jump)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct simulated simulated;
    struct piecewise fitted;

    simulate(&simulated, 24, sqrt(2), 5, bend, 0.005, rng);
    fit(&simulated, &fitted);
    assert_int_equal(fitted.breaks, 1);
    assert_true(fitted.at[0].size.low <= 32768 && 32768 <= fitted.at[0].size.high);
    assert_true(fitted.at[0].jump_ns.low < 0 && 0 < fitted.at[0].jump_ns.high);
    assert_near(fitted.piece[1].ns_per_byte.estimate, 0.3, 0.01);
    gsl_rng_free(rng);
}

/* How often breaks are found in a straight line. */
static double false_breaks(size_t count, double factor, size_t repeats, double sigma)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int found = 0, trials = 200;

    for (int i = 0; i < trials; i++) {
        struct simulated simulated;
        struct piecewise fitted;

        simulate(&simulated, count, factor, repeats, line, sigma, rng);
        fit(&simulated, &fitted);
        found += fitted.breaks > 0;
    }
    gsl_rng_free(rng);
    return (double)found / trials;
}

TEST_CASE(a_line_has_no_breaks)
{
    static const struct {
        size_t count;
        double factor;
        size_t repeats;
        double sigma;
    } cases[] = {{12, 2, 3, 0.01},    {12, 2, 5, 0.005}, {12, 2, 5, 0.03},
                 {24, 1.41, 5, 0.03}, {12, 2, 10, 0.05}, {12, 2, 1, 0.005}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double found =
            false_breaks(cases[i].count, cases[i].factor, cases[i].repeats, cases[i].sigma);

        print_message("a line of %zu sizes, %zu repeats, noise %.1f %%: breaks in %.3f\n",
                      cases[i].count, cases[i].repeats, 100 * cases[i].sigma, found);
        assert_true(found <= 0.1);
    }
}

static bool covers(const struct interval *interval, double truth)
{
    return interval->low <= truth && truth <= interval->high;
}

/* Four standard deviations of 200 trials at 95 % are 6 points. */
TEST_CASE(coverage)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double right = 0, place = 0, slope = 0, fixed = 0, jump = 0, trials = 200;

    for (int i = 0; i < (int)trials; i++) {
        struct simulated simulated;
        struct piecewise fitted;

        simulate(&simulated, 24, sqrt(2), 5, step, 0.01, rng);
        fit(&simulated, &fitted);
        if (fitted.breaks != 1)
            continue;
        right++;
        place += fitted.at[0].size.low <= 1500 && 1500 <= fitted.at[0].size.high;
        slope += covers(&fitted.piece[1].ns_per_byte, 0.35);
        fixed += covers(&fitted.piece[1].fixed_ns, 11000);
        jump += covers(&fitted.at[0].jump_ns, 2000 + 0.15 * (1448 + 2048) / 2);
    }
    gsl_rng_free(rng);
    print_message("one break found in %.3f; coverage: place %.3f, slope %.3f, fixed %.3f, jump "
                  "%.3f\n",
                  right / trials, place / right, slope / right, fixed / right, jump / right);
    assert_true(right >= 0.9 * trials);
    assert_true(place >= 0.9 * right);
    assert_true(slope >= 0.89 * right);
    assert_true(fixed >= 0.89 * right);
    assert_true(jump >= 0.89 * right);
}

/* A line would be below 0 at size 0, as for reads of many packets, whose curve bends upwards. */
static double convex(double size)
{
    return 9000 + 0.02 * size + 1e-6 * size * size;
}

/* Large reads bypass a cache: more bytes take less time. */
static double drop(double size)
{
    return size <= 8192 ? 20000 + 0.1 * size : 9000 + 0.1 * size;
}

TEST_CASE(no_cost_is_below_0)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct simulated simulated;
    struct piecewise fitted;

    for (int i = 0; i < 20; i++) {
        simulate(&simulated, 12, 2, 5, i % 2 ? convex : drop, 0.02, rng);
        fit(&simulated, &fitted);
        for (size_t k = 0; k <= fitted.breaks; k++) {
            assert_true(fitted.piece[k].fixed_ns.estimate >= 0 &&
                        fitted.piece[k].fixed_ns.low >= 0);
            assert_true(fitted.piece[k].ns_per_byte.estimate >= 0);
        }
        for (size_t k = 0; k < fitted.breaks; k++) /* except for noise: 1 % and two deviations */
            assert_true(fitted.at[k].jump_ns.estimate > -0.1 * 20000);
    }
    gsl_rng_free(rng);
}

/* A curve that no line fits has no coefficient; a line has one, whatever the noise. */
TEST_CASE(no_coefficient_off_the_line)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct simulated simulated;
    struct piecewise fitted;
    int known = 0;

    simulate(&simulated, 5, 4, 5, convex, 0.002, rng); /* too few sizes for a break */
    fit(&simulated, &fitted);
    assert_int_equal(fitted.breaks, 0);
    assert_true(fitted.piece[0].misfit_ns > 0);
    assert_false(fitted.piece[0].fixed_known);
    for (int i = 0; i < 100; i++) {
        simulate(&simulated, 8, 2, 5, line, 0.02, rng);
        fit(&simulated, &fitted);
        known += fitted.piece[0].fixed_known && fitted.piece[0].slope_known;
    }
    assert_true(known >= 95);
    simulate(&simulated, 8, 2, 1, line, 0, NULL);
    fit(&simulated, &fitted);
    assert_true(fitted.piece[0].fixed_known && fitted.piece[0].slope_known);
    gsl_rng_free(rng);
}

/* A small part of a round trip of 30 us, known to 0.3 % of that: some differences are below 0. */
TEST_CASE(cost_above_null)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double costs[12][5], covered = 0, trials = 100;
    struct piecewise_point points[12];
    struct piecewise fitted;
    struct error error;

    for (int trial = 0; trial < (int)trials; trial++) {
        for (size_t i = 0; i < 12; i++) {
            double size = 512 * pow(2, (double)i);

            for (size_t k = 0; k < 5; k++)
                costs[i][k] = 40 + 0.01 * size + gsl_ran_gaussian(rng, 90);
            points[i] = (struct piecewise_point){size, {costs[i], 5}, 30000 + 0.01 * size};
        }
        assert_int_equal(piecewise_fit(points, 12, (uint64_t)trial, &fitted, &error), 0);
        assert_int_equal(fitted.breaks, 0);
        covered +=
            fitted.piece[0].ns_per_byte.low <= 0.01 && 0.01 <= fitted.piece[0].ns_per_byte.high;
    }
    assert_true(covered >= 0.9 * trials);
    gsl_rng_free(rng);
}

TEST_CASE(what_is_refused)
{
    struct simulated simulated;
    struct piecewise fitted;
    struct error error;

    simulate(&simulated, 12, 2, 2, line, 0, NULL);
    assert_int_equal(piecewise_fit(simulated.points, 0, 1, &fitted, &error), -ENODATA);
    assert_int_equal(piecewise_fit(simulated.points, 2, 1, &fitted, &error), -ENODATA);
    assert_int_equal(
        piecewise_fit(simulated.points, PIECEWISE_POINTS_MAXIMUM + 1, 1, &fitted, &error), -E2BIG);
    simulated.costs[3][1] = NAN;
    assert_int_equal(piecewise_fit(simulated.points, 12, 1, &fitted, &error), -EINVAL);
    simulated.costs[3][1] = -4;
    assert_int_equal(piecewise_fit(simulated.points, 12, 1, &fitted, &error), -EINVAL);
    simulated.costs[3][1] = 4;
    simulated.points[4].cost.count = 0;
    assert_int_equal(piecewise_fit(simulated.points, 12, 1, &fitted, &error), -EINVAL);
    simulated.points[4].cost.count = 2;
    simulated.points[4].size = simulated.points[3].size;
    assert_int_equal(piecewise_fit(simulated.points, 12, 1, &fitted, &error), -EINVAL);
    simulated.points[4].size = NAN;
    assert_int_equal(piecewise_fit(simulated.points, 12, 1, &fitted, &error), -EINVAL);
    simulated.points[4].size = 8192;
    simulated.points[0].size = -1;
    assert_int_equal(piecewise_fit(simulated.points, 12, 1, &fitted, &error), -EINVAL);
}
