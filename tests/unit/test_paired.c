/* Two sides in the same rounds: drift over the rounds is not reported as a difference, and a real
 * difference is attributed to the right part. */
#include "test.h"

#include <gsl/gsl_randist.h>

#include "measure/contrast.h"

enum { ROUNDS = 200, TRIALS = 1000 };

#define LEVEL 10000

/* A series that has only its blocks' trimmed means. */
struct blocks {
    double values[ROUNDS];
    struct series series;
};

static struct series *as_series(struct blocks *blocks)
{
    blocks->series.blocks[BLOCK_TRIMMED_MEAN] = blocks->values;
    return &blocks->series;
}

/* Both sides' levels drift together by far more than they differ. */
static void fill(gsl_rng *rng, struct blocks *first, struct blocks *second, double shift)
{
    double drift = 0;

    for (size_t i = 0; i < ROUNDS; i++) {
        drift += gsl_ran_gaussian(rng, 300);
        first->values[i] = LEVEL + drift + gsl_ran_gaussian(rng, 50);
        second->values[i] = LEVEL + drift + shift + gsl_ran_gaussian(rng, 50);
    }
}

struct rates {
    double called, covered, unpaired_width, paired_width;
};

static struct rates run_trials(double shift)
{
    static struct blocks first, second;
    static struct paired paired;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    struct rates rates = {0};
    struct comparison comparison, unpaired;
    struct error error;

    gsl_rng_set(rng, 7);
    for (uint64_t i = 0; i < TRIALS; i++) {
        struct resampling resampling = {ROUNDS, 1, i};

        fill(rng, &first, &second, shift);
        assert_int_equal(
            paired_levels(&paired, as_series(&first), as_series(&second), &resampling, &error), 0);
        paired_compare(&paired, &comparison);
        assert_int_equal(
            comparison_estimate(&unpaired, first.values, ROUNDS, second.values, ROUNDS, i, &error),
            0);
        rates.called += (comparison.p < 0.05) / (double)TRIALS;
        rates.covered +=
            (comparison.difference.low <= shift && shift <= comparison.difference.high) /
            (double)TRIALS;
        rates.paired_width += comparison.difference.high - comparison.difference.low;
        rates.unpaired_width += unpaired.difference.high - unpaired.difference.low;
    }
    gsl_rng_free(rng);
    return rates;
}

/* Five standard deviations of 1000 trials at 5 % are 3.5 points. */
TEST_CASE(levels_of_drifting_rounds)
{
    struct rates none = run_trials(0), some = run_trials(30);

    print_message("no difference: called %.3f, covered %.3f; 30 ns: called %.3f, covered %.3f; "
                  "intervals %.0f times as wide without pairs\n",
                  none.called, none.covered, some.called, some.covered,
                  none.unpaired_width / none.paired_width);
    assert_near(none.called, 0.05, 0.035);
    assert_near(none.covered, 0.95, 0.035);
    assert_near(some.covered, 0.95, 0.035);
    assert_true(some.called > 0.95);
    assert_true(none.unpaired_width > 10 * none.paired_width);
}

/* By hand: the result is the median of the rounds' differences, not the difference of the levels.
 */
TEST_CASE(difference_is_paired)
{
    static struct blocks first = {.values = {1, 2, 30}}, second = {.values = {4, 50, 31}};
    static struct paired paired;
    struct resampling resampling = {3, 1, 1};
    struct comparison comparison;
    struct error error;

    assert_int_equal(
        paired_levels(&paired, as_series(&first), as_series(&second), &resampling, &error), 0);
    paired_compare(&paired, &comparison);
    assert_near(comparison.first.estimate, 2, 0);
    assert_near(comparison.second.estimate, 31, 0);
    assert_near(comparison.difference.estimate, 3, 0); /* of 3, 48 and 1 */
}

/* The replicates of costs correspond to each other; a sum has the sums of its terms' replicates. */
TEST_CASE(costs_add_up)
{
    static struct replicates first = {.estimate = 100, .widen = 1};
    static struct replicates second = {.estimate = 130, .widen = 1};
    static struct paired cost, sum;
    struct comparison comparison;

    for (size_t i = 0; i < ESTIMATE_REPLICATES; i++) {
        first.values[i] = 100 + (double)i;
        second.values[i] = 130 + (double)i;
    }
    paired_costs(&cost, &first, &second);
    paired_compare(&cost, &comparison);
    /* Both vary by a thousand from replicate to replicate, and their difference does not vary. */
    assert_near(comparison.difference.estimate, 30, 1e-9);
    assert_near(comparison.difference.low, 30, 1e-9);
    assert_near(comparison.difference.high, 30, 1e-9);
    assert_near(comparison.p, 0, 0);
    sum = cost;
    paired_add(&sum, &cost);
    paired_compare(&sum, &comparison);
    assert_near(comparison.first.estimate, 200, 1e-9);
    assert_near(comparison.second.estimate, 260, 1e-9);
    assert_near(comparison.difference.estimate, 60, 1e-9);
}
