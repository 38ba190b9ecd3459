/* Cost as a function of size, for curves with known breaks. */
#include "experiment/laws/piecewise.h"
#include "simulation.h"

enum { SIZES_MAXIMUM = 40, REPEATS_MAXIMUM = 10 };

/* Costs of the latest simulation. FITTED is the fit to them. */
static struct {
    size_t count, repeats;
    struct piecewise_point points[SIZES_MAXIMUM];
    double costs[SIZES_MAXIMUM][REPEATS_MAXIMUM];
} simulated;

static struct piecewise fitted;
static struct error error;
static gsl_rng *rng; /* each test seeds it with the same number */

FIXTURE(seed_noise, rng = seeded(0), 0)

/* Simulate COUNT sizes, 512 x FACTOR^i, with REPEATS repeats of COST and relative noise SIGMA. */
static void simulate(size_t count, double factor, size_t repeats, double (*cost)(double),
                     double sigma)
{
    simulated.count = count;
    simulated.repeats = repeats;
    for (size_t i = 0; i < count; i++) {
        double size = floor(512 * pow(factor, (double)i));

        for (size_t k = 0; k < repeats; k++)
            simulated.costs[i][k] =
                cost(size) * (1 + (sigma > 0 ? gsl_ran_gaussian(rng, sigma) : 0));
        simulated.points[i] = (struct piecewise_point){size, {simulated.costs[i], repeats}, 0};
    }
}

static int fit_first(size_t count)
{
    return piecewise_fit(simulated.points, count, &fitted, &error);
}

static void fit_simulated(void)
{
    assert_int_equal(fit_first(simulated.count), 0);
}

static void simulate_and_fit(size_t count, double factor, size_t repeats, double (*cost)(double),
                             double sigma)
{
    simulate(count, factor, repeats, cost, sigma);
    fit_simulated();
}

CURVE(line, size, 9000 + 0.1 * size)
CURVE(level, size, 9000 + 0 * size)
CURVE(quick, size, 10 + 0 * size)

/* Above 1500 bytes a second packet adds a step of 2.2 us, and each byte costs more. */
CURVE(step, size, size <= 1500 ? 9000 + 0.2 * size : 11000 + 0.35 * size)

/* Only the slope changes: above 32 KiB a buffer is full. */
CURVE(bend, size, 9000 + 0.1 * size + (size > 32768 ? 0.2 * (size - 32768) : 0))

static double two_breaks(double size)
{
    if (size <= 1500)
        return 9000 + 0.5 * size;
    return size <= 65536 ? 12000 + 0.2 * size : 40000 + 0.4 * size;
}

TEST_CASE_WITH(exact_recovery, seed_noise, NULL)
{
    simulate_and_fit(24, sqrt(2), 3, step, 0);
    assert_all((fitted.breaks, 1), (fitted.at[0].size.estimate, 1448, 0),
               (fitted.at[0].next, 2048, 0), (fitted.at[0].size.low, 1448, 0),
               (fitted.at[0].size.high, 2048, 0),
               (fitted.at[0].jump_ns.estimate, 2000 + 0.15 * (1448 + 2048) / 2, 1e-3),
               (fitted.piece[0].first, 512, 0), (fitted.piece[0].last, 1448, 0),
               (fitted.piece[0].fixed_ns.estimate, 9000, 1e-3),
               (fitted.piece[0].ns_per_byte.estimate, 0.2, 1e-6), (fitted.piece[1].first, 2048, 0),
               (fitted.piece[1].fixed_ns.estimate, 11000, 1e-3));
    assert_near(fitted.piece[1].ns_per_byte.estimate, 0.35, 1e-6);
    assert_near(fitted.residual_largest, 0, 1e-9);
}

TEST_CASE_WITH(straight_and_level, seed_noise, NULL)
{
    simulate_and_fit(12, 2, 1, line, 0);
    assert_all((fitted.breaks, 0), (fitted.piece[0].fixed_ns.estimate, 9000, 1e-6),
               (fitted.piece[0].ns_per_byte.estimate, 0.1, 1e-9));
    simulate_and_fit(12, 2, 5, level, 0);
    assert_all((fitted.breaks, 0), (fitted.piece[0].ns_per_byte.estimate, 0, 1e-12));
    simulate_and_fit(3, 2, 5, step, 0); /* too few sizes for a break */
    assert_int_equal(fitted.breaks, 0);
}

/* Breaks are found at sizes that double, although one of the five repeats at each size costs 1.5
 * times as much. This raises the mean of each size by a tenth. */
TEST_CASE_WITH(doubling, seed_noise, NULL)
{
    simulate(12, 2, 5, two_breaks, 0.005);
    for (size_t i = 0; i < simulated.count; i++)
        simulated.costs[i][i % 5] *= 1.5;
    fit_simulated();
    assert_all((fitted.breaks, 2), (fitted.at[0].size.estimate, 1024, 0),
               (fitted.at[1].size.estimate, 65536, 0),
               (fitted.piece[2].ns_per_byte.estimate, 0.44, 0.03),
               (fitted.piece[2].ns_per_byte.low < 0.4), (fitted.piece[2].ns_per_byte.high > 0.4));
}

TEST_CASE_WITH(bend_is_no_jump, seed_noise, NULL)
{
    simulate_and_fit(24, sqrt(2), 5, bend, 0.005);
    assert_int_equal(fitted.breaks, 1);
    assert_true(fitted.at[0].size.low <= 32768 && 32768 <= fitted.at[0].size.high);
    assert_true(fitted.at[0].jump_ns.low < 0 && 0 < fitted.at[0].jump_ns.high);
    assert_near(fitted.piece[1].ns_per_byte.estimate, 0.3, 0.01);
}

static double false_breaks(size_t count, double factor, size_t repeats, double sigma)
{
    int found = 0, trials = 200;

    for (int i = 0; i < trials; i++) {
        simulate_and_fit(count, factor, repeats, line, sigma);
        found += fitted.breaks > 0;
    }
    return (double)found / trials;
}

TEST_CASE_WITH(a_line_has_no_breaks, seed_noise, NULL)
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

/* Four standard deviations of the coverage in 200 trials at 95 % are 6 percentage points. */
TEST_CASE_WITH(coverage, seed_noise, NULL)
{
    double right = 0, place = 0, slope = 0, fixed = 0, jump = 0, trials = 200;

    for (int i = 0; i < (int)trials; i++) {
        simulate_and_fit(24, sqrt(2), 5, step, 0.01);
        if (fitted.breaks != 1)
            continue;
        right++;
        place += fitted.at[0].size.low <= 1500 && 1500 <= fitted.at[0].size.high;
        slope += covers(&fitted.piece[1].ns_per_byte, 0.35);
        fixed += covers(&fitted.piece[1].fixed_ns, 11000);
        jump += covers(&fitted.at[0].jump_ns, 2000 + 0.15 * (1448 + 2048) / 2);
    }
    print_message("one break found in %.3f; coverage: place %.3f, slope %.3f, fixed %.3f, jump "
                  "%.3f\n",
                  right / trials, place / right, slope / right, fixed / right, jump / right);
    assert_all((right >= 0.9 * trials), (place >= 0.9 * right), (slope >= 0.89 * right),
               (fixed >= 0.89 * right), (jump >= 0.89 * right));
}

/* A cost that curves upwards, so that a straight line through large sizes is below 0 at size 0. */
CURVE(convex, size, 9000 + 0.02 * size + 1e-6 * size * size)

/* A cost that drops: large READs bypass a cache. */
CURVE(drop, size, size <= 8192 ? 20000 + 0.1 * size : 9000 + 0.1 * size)

TEST_CASE_WITH(no_cost_is_below_0, seed_noise, NULL)
{
    for (int i = 0; i < 20; i++) {
        simulate_and_fit(12, 2, 5, i % 2 ? convex : drop, 0.02);
        for (size_t k = 0; k <= fitted.breaks; k++)
            assert_all(
                (fitted.piece[k].fixed_ns.estimate >= 0 && fitted.piece[k].fixed_ns.low >= 0),
                (fitted.piece[k].ns_per_byte.estimate >= 0));
        /* Even the fit to drop() has no drop. Noise may put a jump's estimate below 0, but by less
         * than 2 us. */
        for (size_t k = 0; k < fitted.breaks; k++)
            assert_true(fitted.at[k].jump_ns.estimate > -0.1 * 20000);
    }
}

/* The fixed cost of a curve that no line fits is unknown. The coefficients of a line are known,
 * with or without noise. */
TEST_CASE_WITH(no_coefficient_off_the_line, seed_noise, NULL)
{
    int known = 0;

    simulate_and_fit(5, 4, 5, convex, 0.002); /* too few sizes for a break */
    assert_all((fitted.breaks, 0), (fitted.piece[0].misfit_ns > 0), (!fitted.piece[0].fixed_known));
    for (int i = 0; i < 100; i++) {
        simulate_and_fit(8, 2, 5, line, 0.02);
        known += fitted.piece[0].fixed_known && fitted.piece[0].slope_known;
    }
    assert_true(known >= 95);
    simulate_and_fit(8, 2, 1, line, 0);
    assert_true(fitted.piece[0].fixed_known && fitted.piece[0].slope_known);
    /* One point is 0.6 ns above the others, less than the clocks' resolution. */
    simulate(3, 4, 1, quick, 0);
    simulated.costs[1][0] += 0.6;
    fit_simulated();
    assert_all((fitted.piece[0].misfit_ns > 0), (fitted.piece[0].misfit_ns < 1),
               (fitted.piece[0].fixed_known), (fitted.piece[0].slope_known));
}

/* The cost is a small part of a round trip of 30 us, whose noise is 0.3 %. The intervals cover the
 * slope although some of the measured costs are below 0. */
TEST_CASE_WITH(cost_above_null, seed_noise, NULL)
{
    double costs[12][5], covered = 0, trials = 100;
    struct piecewise_point points[12];

    for (int trial = 0; trial < (int)trials; trial++) {
        for (size_t i = 0; i < 12; i++) {
            double size = 512 * pow(2, (double)i);

            for (size_t k = 0; k < 5; k++)
                costs[i][k] = 40 + 0.01 * size + gsl_ran_gaussian(rng, 90);
            points[i] = (struct piecewise_point){size, {costs[i], 5}, 30000 + 0.01 * size};
        }
        assert_all((piecewise_fit(points, 12, &fitted, &error), 0), (fitted.breaks, 0));
        covered +=
            fitted.piece[0].ns_per_byte.low <= 0.01 && 0.01 <= fitted.piece[0].ns_per_byte.high;
    }
    assert_true(covered >= 0.9 * trials);
}

TEST_CASE_WITH(what_is_refused, seed_noise, NULL)
{
    static const struct {
        double cost;  /* cost of the second repeat at the fourth size */
        size_t count; /* number of repeats that the test sets at the fifth size */
        double size, first;
        int code;
    } cases[] = {{4, 2, 8192, 512, 0},        {NAN, 2, 8192, 512, -EINVAL},
                 {-4, 2, 8192, 512, -EINVAL}, {4, 0, 8192, 512, -EINVAL},
                 {4, 2, 4096, 512, -EINVAL},  {4, 2, NAN, 512, -EINVAL},
                 {4, 2, 8192, -1, -EINVAL}};

    simulate(12, 2, 2, line, 0);
    assert_all((fit_first(0), -ENODATA), (fit_first(2), -ENODATA),
               (fit_first(PIECEWISE_POINTS_MAXIMUM + 1), -E2BIG));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        simulated.costs[3][1] = cases[i].cost;
        simulated.points[4].cost.count = cases[i].count;
        simulated.points[4].size = cases[i].size;
        simulated.points[0].size = cases[i].first;
        if (fit_first(12) != cases[i].code)
            fail_msg("case %zu was not refused", i);
    }
}
