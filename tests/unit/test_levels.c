/* Levels of repeated points, the bootstrap over them, and Jain's index. */
#include "test.h"

#include "measure/levels.h"
#include "measure/load.h"
#include "simulation.h"

enum { POINTS = 8, REPEATS_MAXIMUM = 10 };

TEST_CASE(levels_are_medians)
{
    const double a[] = {5, 1, 3}, b[] = {2, 4};
    const struct repeats repeats[] = {{a, 3}, {b, 2}};
    struct levels levels, again;
    struct error error;

    assert_int_equal(levels_resample(&levels, repeats, sizeof(struct repeats), 2, 7, &error), 0);
    assert_near(levels_row(&levels, 0)[0], 3, 0);
    assert_near(levels_row(&levels, 0)[1], 3, 0);
    for (size_t row = 1; row < LEVELS_ROWS; row++) {
        double first = levels_row(&levels, row)[0], second = levels_row(&levels, row)[1];

        assert_true(first == 1 || first == 3 || first == 5);
        assert_true(second == 2 || second == 3 || second == 4);
    }
    assert_int_equal(levels_resample(&again, repeats, sizeof(struct repeats), 2, 7, &error), 0);
    assert_memory_equal(levels.values, again.values, 2 * LEVELS_ROWS * sizeof *levels.values);
    levels_free(&levels);
    levels_free(&again);
    assert_near(a[0], 5, 0); /* the repeats are unchanged */
}

/* Two quantities with the same seed are resampled in the same way: their product equals that of
 * single repeats. */
TEST_CASE(quantities_are_resampled_together)
{
    const double x[] = {10, 20, 40}, inverse[] = {0.1, 0.05, 0.025};
    const struct repeats a = {x, 3}, b = {inverse, 3};
    struct levels levels, inverses;
    struct error error;

    assert_int_equal(levels_resample(&levels, &a, sizeof(struct repeats), 1, 3, &error), 0);
    assert_int_equal(levels_resample(&inverses, &b, sizeof(struct repeats), 1, 3, &error), 0);
    for (size_t row = 0; row < LEVELS_ROWS; row++)
        assert_near(levels_row(&levels, row)[0] * levels_row(&inverses, row)[0], 1, 1e-12);
    levels_free(&levels);
    levels_free(&inverses);
}

TEST_CASE(what_is_refused)
{
    static const double good[] = {1, 2}, bad[] = {1, NAN}, infinite[] = {INFINITY};
    static const struct {
        struct repeats repeats[2];
        size_t count;
    } cases[] = {
        {{{good, 2}, {bad, 2}}, 2}, {{{good, 0}}, 1}, {{{infinite, 1}}, 1}, {{{good, 2}}, 0}};
    struct levels levels;
    struct error error;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(levels_resample(&levels, cases[i].repeats, sizeof(struct repeats),
                                         cases[i].count, 1, &error),
                         -EINVAL);
        if (i == 0)
            assert_string_equal(error.text, "repeat 2 of point 2 is not a number");
    }
}

TEST_CASE(one_repeat_has_no_extent)
{
    const double value = 42;
    const struct repeats repeats = {&value, 1};
    struct interval interval;
    struct error error;

    assert_int_equal(levels_interval(&repeats, 1, &interval, &error), 0);
    assert_near(interval.estimate, 42, 0);
    assert_near(interval.low, 42, 0);
    assert_near(interval.high, 42, 0);
}

/* How often the interval of the mean of the points' levels, which resembles any fit, covers the
 * truth, with so many REPEATS per point of which the share DISTURBED has ten times the noise. */
static double coverage(size_t points, size_t repeats, double disturbed)
{
    gsl_rng *rng = seeded(0);
    int covered = 0, trials = 400;

    for (int trial = 0; trial < trials; trial++) {
        double values[POINTS][REPEATS_MAXIMUM], means[LEVELS_ROWS] = {0};
        struct repeats point[POINTS];
        struct interval interval;
        struct levels levels;
        struct error error;

        for (size_t i = 0; i < points; i++) {
            for (size_t k = 0; k < repeats; k++)
                values[i][k] = gsl_ran_gaussian(rng, gsl_rng_uniform(rng) < disturbed ? 10 : 1);
            point[i] = (struct repeats){values[i], repeats};
        }
        assert_int_equal(levels_resample(&levels, point, sizeof(struct repeats), points,
                                         (uint64_t)trial, &error),
                         0);
        for (size_t row = 0; row < LEVELS_ROWS; row++)
            for (size_t i = 0; i < points; i++)
                means[row] += levels_row(&levels, row)[i] / (double)points;
        interval = levels_fitted(&levels, means);
        covered += covers(&interval, 0);
        levels_free(&levels);
    }
    return (double)covered / trials;
}

/* Four standard deviations of 400 trials at 95 % are 4.4 points. If many points are fitted, few
 * repeats make the intervals too wide rather than too narrow; for a single point, three are too
 * few. */
TEST_CASE(coverage)
{
    static const struct {
        size_t points, repeats;
        double disturbed, least;
    } cases[] = {{1, 3, 0, 0.85},    {1, 5, 0, 0.906},   {1, 10, 0, 0.906}, {8, 2, 0, 0.906},
                 {8, 3, 0, 0.906},   {8, 5, 0, 0.906},   {8, 10, 0, 0.906}, {8, 3, 0.1, 0.906},
                 {8, 5, 0.1, 0.906}, {8, 10, 0.1, 0.906}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double covered = coverage(cases[i].points, cases[i].repeats, cases[i].disturbed);

        print_message("coverage: %zu points, %2zu repeats, %2.0f %% disturbed: %.3f\n",
                      cases[i].points, cases[i].repeats, 100 * cases[i].disturbed, covered);
        assert_true(covered >= cases[i].least);
    }
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
