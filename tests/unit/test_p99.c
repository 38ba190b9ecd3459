/* The p99 above NULL of simulated launches: how often identical servers differ significantly, even
 * if the machine was busier for one of them, and how often slow calls are found. */
#include "measure/statistics/above_null.h"
#include "measure/statistics/contrast.h"
#include "measure/statistics/launches.h"
#include "simulation.h"

enum { LAUNCHES = 5, CALLS = 2000, TRIALS = 200 };

struct side {
    /* Median share of a launch's calls that the machine makes slower, by 50 us on average. */
    double disturbed;
    double slow; /* share of the op's calls that the server makes 100 us slower */
};

static struct series op, null_calls;

static void draw_series(gsl_rng *rng, double cost, double disturbed, double slow,
                        struct histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
    for (int i = 0; i < CALLS; i++) {
        double ns = cost + 10000 + gsl_ran_gaussian_ziggurat(rng, 500);

        ns += gsl_ran_bernoulli(rng, disturbed) ? gsl_ran_exponential(rng, 50000) : 0;
        ns += gsl_ran_bernoulli(rng, slow) ? 100000 : 0;
        histogram_record(histogram, ns);
    }
}

/* Draw a launch of SIDE, with a share of disturbed calls drawn for this launch. Set ABOVE to the
 * launch's p99 above NULL, and ROUND_TRIP to the launch's p99 of round trips. */
static void draw_launch(gsl_rng *rng, const struct side *side, struct launch *above,
                        struct launch *round_trip)
{
    double disturbed = side->disturbed * gsl_ran_lognormal(rng, 0, 0.5);

    draw_series(rng, 0, disturbed, 0, &null_calls.histogram);
    draw_series(rng, 1000, disturbed, side->slow, &op.histogram);
    above->estimate = above_null_p99(&op, &null_calls);
    round_trip->estimate = histogram_quantile(&op.histogram, 0.99);
}

/* Share of comparisons that are significant at 5 %: of p99 above NULL, and of the op's p99. */
struct found {
    double above, round_trip;
};

static struct found compare_often(const struct side sides[2])
{
    gsl_rng *rng = seeded(7);
    struct found found = {0};

    for (int trial = 0; trial < TRIALS; trial++) {
        struct launch above[2][LAUNCHES] = {0}, round_trip[2][LAUNCHES] = {0};
        struct comparison comparison;

        for (size_t side = 0; side < 2; side++)
            for (size_t i = 0; i < LAUNCHES; i++)
                draw_launch(rng, &sides[side], &above[side][i], &round_trip[side][i]);
        comparison_of_launches(&comparison, above[0], LAUNCHES, above[1], LAUNCHES);
        found.above += comparison.p < 0.05 ? 1.0 / TRIALS : 0;
        comparison_of_launches(&comparison, round_trip[0], LAUNCHES, round_trip[1], LAUNCHES);
        found.round_trip += comparison.p < 0.05 ? 1.0 / TRIALS : 0;
    }
    print_message(
        "p99 of %d launches of %d calls a side, disturbed %.3f and %.3f, slow %.3f: above "
        "null significant in %.3f, round trips in %.3f\n",
        LAUNCHES, CALLS, sides[0].disturbed, sides[1].disturbed, sides[1].slow, found.above,
        found.round_trip);
    return found;
}

/* The time that the machine adds is subtracted, because NULL's p99 contains it, too. Tolerance:
 * four standard deviations of 200 trials are 6 points. */
TEST_CASE(false_alarms)
{
    static const struct side pairs[][2] = {{{0.002, 0}, {0.002, 0}},
                                           {{0.01, 0}, {0.01, 0}},
                                           {{0.005, 0}, {0.02, 0}},
                                           {{0.02, 0}, {0.1, 0}}};

    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        assert_true(compare_often(pairs[i]).above <= 0.11);
}

TEST_CASE(power)
{
    static const struct side slower[] = {{0.002, 0}, {0.002, 0.03}},
                             disturbed[] = {{0.01, 0}, {0.01, 0.03}};

    assert_true(compare_often(slower).above >= 0.95);
    compare_often(disturbed);
}

TEST_CASE(few_calls)
{
    op.histogram.count = null_calls.histogram.count = ABOVE_NULL_P99_CALLS;
    assert_true(isfinite(above_null_p99(&op, &null_calls)));
    op.histogram.count--;
    assert_true(isnan(above_null_p99(&op, &null_calls)));
}
