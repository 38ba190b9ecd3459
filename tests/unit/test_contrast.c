/* Comparing two runs: a real difference is found, and no other. */
#include "test.h"

#include "measure/contrast.h"
#include "simulation.h"

enum { ROUNDS = 300, TRIALS = 400 };

static void fill(gsl_rng *rng, double *values, double level)
{
    for (size_t i = 0; i < ROUNDS; i++)
        values[i] = level + gsl_ran_gaussian(rng, gsl_rng_uniform(rng) < 0.1 ? 500 : 50);
}

/* How often, in TRIALS, a difference of SHIFT is found to be real; and how often the interval
 * covers it. */
static void run_trials(double shift, double *called, double *covered)
{
    static double first[ROUNDS], second[ROUNDS];
    gsl_rng *rng = seeded(21);
    struct comparison comparison;
    struct error error;

    *called = *covered = 0;
    for (uint64_t i = 0; i < TRIALS; i++) {
        fill(rng, first, 1000);
        fill(rng, second, 1000 + shift);
        assert_int_equal(comparison_estimate(&comparison, first, ROUNDS, second, ROUNDS, i, &error),
                         0);
        *called += (comparison.p < 0.05) / (double)TRIALS;
        *covered += covers(&comparison.difference, shift) / (double)TRIALS;
    }
}

/* Four standard deviations of 400 trials at 5 % are 4.4 points. */
TEST_CASE(error_rates)
{
    double called, covered;

    run_trials(0, &called, &covered);
    print_message("no difference: called real %.3f, covered %.3f\n", called, covered);
    assert_near(called, 0.05, 0.044);
    assert_near(covered, 0.95, 0.044);
    run_trials(40, &called, &covered);
    print_message("a difference of 0.8 sd: called real %.3f, covered %.3f\n", called, covered);
    assert_true(called > 0.99);
    assert_near(covered, 0.95, 0.044);
}

/* By hand: p of 0.01, 0.04, 0.03, 0.005 become 0.03, 0.06, 0.06, 0.02. */
TEST_CASE(holm)
{
    static const double p[] = {0.01, 0.04, 0.03, 0.005}, adjusted[] = {0.03, 0.06, 0.06, 0.02};
    struct comparison comparisons[COUNT_OF(p)], *pointers[COUNT_OF(p)];

    for (size_t i = 0; i < COUNT_OF(p); i++) {
        comparisons[i].p = p[i];
        pointers[i] = &comparisons[i];
    }
    comparison_adjust(pointers, COUNT_OF(p));
    for (size_t i = 0; i < COUNT_OF(p); i++)
        assert_near(comparisons[i].adjusted_p, adjusted[i], 1e-12);
    comparisons[0].p = 0.9;
    comparisons[1].p = 0.8;
    pointers[0] = &comparisons[0];
    pointers[1] = &comparisons[1];
    comparison_adjust(pointers, 2);
    assert_near(comparisons[0].adjusted_p, 1, 0);
    assert_near(comparisons[1].adjusted_p, 1, 0);
}

/* If all rounds are equal, there is no variation to judge by. */
TEST_CASE(no_spread)
{
    static const double same[] = {5, 5, 5}, other[] = {6, 6, 6};
    struct comparison comparison;
    struct error error;

    assert_int_equal(comparison_estimate(&comparison, same, 3, same, 3, 1, &error), 0);
    assert_near(comparison.p, 1, 0);
    assert_int_equal(comparison_estimate(&comparison, same, 3, other, 3, 1, &error), 0);
    assert_near(comparison.p, 0, 0);
    assert_near(comparison.difference.estimate, 1, 0);
}

TEST_CASE(judge)
{
    static const struct {
        double difference, adjusted_p, floor;
        enum comparison_verdict verdict;
    } cases[] = {{10, 0.049, 9, COMPARISON_SLOWER},
                 {-10, 0.049, 9, COMPARISON_FASTER},
                 {10, 0.05, 9, COMPARISON_SAME},
                 {-10, 0.001, 10, COMPARISON_SAME},
                 {0, 0, 0, COMPARISON_SAME}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct comparison comparison = {.difference.estimate = cases[i].difference,
                                              .adjusted_p = cases[i].adjusted_p};

        assert_int_equal(comparison_judge(&comparison, cases[i].floor), cases[i].verdict);
    }
}

/* Of a round trip of 10000 ns. */
TEST_CASE(floors)
{
    static const struct {
        enum comparison_design design;
        enum comparison_quantity quantity;
        double noise, floor;
    } cases[] = {{COMPARISON_SEPARATE_RUNS, COMPARISON_ROUND_TRIP, 60, 200},
                 {COMPARISON_SEPARATE_RUNS, COMPARISON_COST, 60, 60},
                 {COMPARISON_SAME_ROUNDS, COMPARISON_ROUND_TRIP, 60, 300},
                 {COMPARISON_SAME_ROUNDS, COMPARISON_COST, 60, 60},
                 {COMPARISON_SAME_ROUNDS, COMPARISON_COST, 0, 50}};

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_near(comparison_floor(cases[i].design, cases[i].quantity, 10000, cases[i].noise),
                    cases[i].floor, 1e-3);
}

/* Two normal sides, the second three times the first, with correlation R: how often the ratio's
 * interval covers 3. */
static double ratio_coverage(double r)
{
    enum { DRAWS = 4000 };
    const double z = 1.96, sd_a = 8, sd_b = 12;
    gsl_rng *rng = seeded(33);
    double covered = 0;

    for (int i = 0; i < DRAWS; i++) {
        double a, b, half = z * sqrt(sd_a * sd_a + sd_b * sd_b - 2 * r * sd_a * sd_b);
        struct comparison comparison;
        struct interval ratio;

        gsl_ran_bivariate_gaussian(rng, sd_a, sd_b, r, &a, &b);
        a += 100, b += 300;
        comparison.first = (struct interval){a, a - z * sd_a, a + z * sd_a};
        comparison.second = (struct interval){b, b - z * sd_b, b + z * sd_b};
        comparison.difference = (struct interval){b - a, b - a - half, b - a + half};
        ratio = comparison_ratio(&comparison, true);
        covered += covers(&ratio, 3) / (double)DRAWS;
    }
    return covered;
}

/* Four standard deviations of 4000 trials at 5 % are 1.4 points. */
TEST_CASE(ratio_coverage)
{
    assert_true(fabs(ratio_coverage(0) - 0.95) < 0.014);
    assert_true(fabs(ratio_coverage(0.8) - 0.95) < 0.014);
    assert_true(fabs(ratio_coverage(-0.5) - 0.95) < 0.014);
}

static struct interval ratio_of(struct interval first, struct interval second,
                                struct interval difference)
{
    struct comparison comparison = {.first = first, .second = second, .difference = difference};

    return comparison_ratio(&comparison, true);
}

/* A busy machine's intervals: one end far away, and widths that no correlation explains. */
TEST_CASE(ratio_of_odd_intervals)
{
    const struct interval known = {100, 100, 100};
    struct interval ratio;

    ratio = ratio_of(known, (struct interval){150, 120, 190}, (struct interval){50, 20, 90});
    assert_true(fabs(ratio.low - 1.2) < 1e-9 && fabs(ratio.high - 1.9) < 1e-9);
    ratio = ratio_of((struct interval){50, 40, 60}, known, (struct interval){50, 40, 60});
    assert_true(fabs(ratio.low - 100 / 60.) < 1e-9 && fabs(ratio.high - 2.5) < 1e-9);
    /* The first's upper end is beyond twice its estimate. */
    ratio = ratio_of((struct interval){20, 19, 70}, (struct interval){10000, 9990, 10020},
                     (struct interval){9980, 9950, 10010});
    assert_true(ratio.low > 0 && ratio.low < 500 && ratio.high > 500 && ratio.high < 600);
    /* The difference's width is less than any correlation permits. */
    ratio = ratio_of((struct interval){20, 19, 21}, (struct interval){10000, 9500, 10500},
                     (struct interval){9980, 9530, 10430});
    assert_true(covers(&ratio, 500) && ratio.high < 510);
    /* What is not above 0 has no ratio. */
    ratio = ratio_of((struct interval){20, -1, 41}, known, (struct interval){80, 59, 101});
    assert_true(isnan(ratio.estimate) && isnan(ratio.low) && isnan(ratio.high));
    ratio = ratio_of(known, (struct interval){-150, -350, 50}, (struct interval){-250, -450, -50});
    assert_true(isnan(ratio.estimate));
}

/* Whatever the intervals are, a ratio has none, or one that it is in: results are read back. */
TEST_CASE(ratio_is_in_its_interval)
{
    gsl_rng *rng = seeded(0);
    size_t none = 0, some = 0;

    for (int i = 0; i < 20000; i++) {
        double numbers[6];
        struct interval ratio;

        for (int j = 0; j < 6; j++)
            numbers[j] = gsl_ran_flat(rng, 0, 100);
        ratio = ratio_of(
            (struct interval){numbers[0], numbers[0] - numbers[1] / 2, numbers[0] + 3 * numbers[2]},
            (struct interval){numbers[3] - 20, numbers[3] - 20 - numbers[4],
                              numbers[3] - 20 + 3 * numbers[5]},
            (struct interval){numbers[3] - 20 - numbers[0], -numbers[4], 3 * numbers[5]});
        if (isnan(ratio.estimate))
            none++;
        else if (covers(&ratio, ratio.estimate))
            some++;
    }
    assert_int_equal(none + some, 20000);
    assert_true(none > 1000 && some > 1000);
}
