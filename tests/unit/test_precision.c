/* When a run stops, and how the stop affects the interval's coverage. */
#include "test.h"

#include <gsl/gsl_randist.h>

#include "measure/statistics/precision.h"

TEST_CASE(looks_are_few_and_fixed)
{
    size_t looks = 0;

    assert_all((!precision_is_look(0)), (!precision_is_look(99)), (precision_is_look(100)),
               (precision_is_look(150)), (precision_is_look(225)), (!precision_is_look(200)));
    for (size_t round = 0; round < 100000; round++)
        looks += precision_is_look(round);
    assert_int_equal(looks, 18);
}

TEST_CASE(narrow_enough)
{
    const struct precision both = {.share = 0.01, .ns = 20}, share = {.share = 0.01},
                           ns = {.ns = 20};
    const struct interval small = {100, 91, 110}, large = {10000, 9960, 10050};

    assert_all((precision_reached(&both, &small)), (precision_reached(&both, &large)),
               (!precision_reached(&share, &small)), (precision_reached(&share, &large)),
               (precision_reached(&ns, &small)), (!precision_reached(&ns, &large)));
}

enum { ROUNDS_MAXIMUM = 5000 };

/* Make a run that stops one check after PRECISION is first reached, or else after ROUNDS_MAXIMUM
 * rounds. Returns whether the run's last interval covers TRUTH. */
static bool covers(gsl_rng *rng, const struct precision *precision, double truth, double spread,
                   uint64_t seed)
{
    static double values[ROUNDS_MAXIMUM];
    struct interval interval = {0};
    bool narrow = false;
    struct error error;

    for (size_t round = 1; round <= ROUNDS_MAXIMUM; round++) {
        /* As with differences of block means, most values are close to TRUTH, and some are far from
         * it. */
        double wide = gsl_rng_uniform(rng) < 0.1 ? 20 : 1;

        values[round - 1] = truth + gsl_ran_gaussian(rng, wide * spread);
        if (!precision_is_look(round))
            continue;
        assert_int_equal(estimate_median_interval(values, round, seed, &interval, &error), 0);
        if (precision_ends(&narrow, precision_reached(precision, &interval)))
            break;
    }
    return interval.low <= truth && truth <= interval.high;
}

/* Runs stop at the second to tenth check. Tolerance: four standard deviations of 400 trials at 95 %
 * are 4.4 points. */
TEST_CASE(coverage_after_stopping)
{
    const struct precision precision = {.share = 0.01, .ns = 20};
    const struct {
        double truth, spread;
    } cases[] = {{70, 50}, {70, 90}, {5000, 150}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);

    gsl_rng_set(rng, 12);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int covered = 0;

        for (uint64_t run = 0; run < 400; run++)
            covered += covers(rng, &precision, cases[i].truth, cases[i].spread, run);
        print_message("truth %.0f ns, spread %.0f: coverage %.3f\n", cases[i].truth,
                      cases[i].spread, covered / 400.0);
        assert_near(covered / 400.0, 0.95, 0.044);
    }
    gsl_rng_free(rng);
}
