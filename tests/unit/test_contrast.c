/* Contrasts: real differences are found, and false ones are rare. Drift that both sides share is
 * not a difference. Contrasts over the same units form families. Ratios lie in their intervals. */
#include "test.h"

#include <gsl/gsl_cdf.h>

#include "measure/statistics/contrast.h"
#include "simulation.h"

static struct error error;

enum { ROUNDS = 200, TRIALS = 400 };

static void draw_rounds(gsl_rng *rng, double *values, double level)
{
    for (size_t i = 0; i < ROUNDS; i++)
        values[i] = level + gsl_ran_gaussian(rng, gsl_rng_uniform(rng) < 0.1 ? 500 : 50);
}

/* Set *CALLED to the share of TRIALS in which a difference of SHIFT is found to be real, and
 * *COVERED to the share of TRIALS whose interval covers SHIFT. */
static void run_trials(double shift, double *called, double *covered)
{
    static double first[ROUNDS], second[ROUNDS];
    gsl_rng *rng = seeded(21);
    struct comparison comparison;

    *called = *covered = 0;
    for (uint64_t i = 0; i < TRIALS; i++) {
        draw_rounds(rng, first, 1000);
        draw_rounds(rng, second, 1000 + shift);
        assert_int_equal(comparison_estimate(&comparison, first, ROUNDS, second, ROUNDS, i, &error),
                         0);
        *called += (comparison.p < 0.05) / (double)TRIALS;
        *covered += covers(&comparison.difference, shift) / (double)TRIALS;
    }
}

/* Tolerances: four standard deviations of 400 trials at 5 % are 4.4 points. */
TEST_CASE(error_rates)
{
    double called, covered;

    run_trials(0, &called, &covered);
    print_message("no difference: called real %.3f, covered %.3f\n", called, covered);
    assert_all((called, 0.05, 0.044), (covered, 0.95, 0.044));
    run_trials(40, &called, &covered);
    print_message("a difference of 0.8 sd: called real %.3f, covered %.3f\n", called, covered);
    assert_all((called > 0.99), (covered, 0.95, 0.044));
}

/* Computed by hand: p of 0.01, 0.04, 0.03, 0.005 become 0.03, 0.06, 0.06, 0.02. */
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
    assert_all((comparisons[0].adjusted_p, 1, 0), (comparisons[1].adjusted_p, 1, 0));
}

TEST_CASE(no_spread)
{
    static const double same[] = {5, 5, 5}, other[] = {6, 6, 6};
    struct comparison comparison;

    assert_all((comparison_estimate(&comparison, same, 3, same, 3, 1, &error), 0),
               (comparison.p, 1, 0),
               (comparison_estimate(&comparison, same, 3, other, 3, 1, &error), 0),
               (comparison.p, 0, 0), (comparison.difference.estimate, 1, 0));
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

/* The smallest difference that counts, for a round trip of 10000 ns. */
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

/* A known error is added to the variance and increases the degrees of freedom. An interval without
 * ends is not changed. */
TEST_CASE(widened)
{
    const struct launch first[] = {{0, 90, 0}, {1, 100, 0}, {2, 110, 0}};
    const struct launch second[] = {{0, 190, 0}, {1, 200, 0}, {2, 210, 0}};
    struct comparison plain, wide;

    comparison_of_launches(&plain, first, 3, second, 3);
    wide = plain;
    comparison_widen(&wide, 0);
    assert_all((wide.p == plain.p), (wide.difference.low == plain.difference.low));
    comparison_widen(&wide, 50);
    assert_all((plain.degrees, 4, 1e-6), (wide.degrees > 1000),
               (wide.p, student_p(100 / sqrt(2500 + 200 / 3.), INFINITY), 1e-3),
               (wide.difference.high - 100, 1.96 * sqrt(2500 + 200 / 3.), 0.1));
    comparison_of_launches(&wide, first, 1, second, 1);
    comparison_widen(&wide, 50);
    assert_all((isinf(wide.difference.high)), (wide.p, 1, 1e-9));
}

/* Return the share of DRAWS in which the ratio's interval covers 3. The sides are normal with
 * correlation R and means of 100 and 300. */
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

/* Tolerances: four standard deviations of 4000 trials at 5 % are 1.4 points. */
TEST_CASE(ratio_coverage)
{
    assert_all((fabs(ratio_coverage(0) - 0.95) < 0.014), (fabs(ratio_coverage(0.8) - 0.95) < 0.014),
               (fabs(ratio_coverage(-0.5) - 0.95) < 0.014));
}

static struct interval ratio_of(struct interval first, struct interval second,
                                struct interval difference)
{
    struct comparison comparison = {.first = first, .second = second, .difference = difference};

    return comparison_ratio(&comparison, true);
}

/* Intervals as on a busy machine: one end is far away, or no correlation explains the widths. */
TEST_CASE(ratio_of_odd_intervals)
{
    const struct interval known = {100, 100, 100};
    struct interval ratio;

    ratio = ratio_of(known, (struct interval){150, 120, 190}, (struct interval){50, 20, 90});
    assert_true(fabs(ratio.low - 1.2) < 1e-9 && fabs(ratio.high - 1.9) < 1e-9);
    ratio = ratio_of((struct interval){50, 40, 60}, known, (struct interval){50, 40, 60});
    assert_true(fabs(ratio.low - 100 / 60.) < 1e-9 && fabs(ratio.high - 2.5) < 1e-9);
    /* The first side's upper end is beyond twice its estimate. */
    ratio = ratio_of((struct interval){20, 19, 70}, (struct interval){10000, 9990, 10020},
                     (struct interval){9980, 9950, 10010});
    assert_true(ratio.low > 0 && ratio.low < 500 && ratio.high > 500 && ratio.high < 600);
    /* The difference's width is less than any correlation permits. */
    ratio = ratio_of((struct interval){20, 19, 21}, (struct interval){10000, 9500, 10500},
                     (struct interval){9980, 9530, 10430});
    assert_true(covers(&ratio, 500) && ratio.high < 510);
    /* There is no ratio if the first interval reaches 0, or the second estimate is not above 0. */
    ratio = ratio_of((struct interval){20, -1, 41}, known, (struct interval){80, 59, 101});
    assert_true(isnan(ratio.estimate) && isnan(ratio.low) && isnan(ratio.high));
    ratio = ratio_of(known, (struct interval){-150, -350, 50}, (struct interval){-250, -450, -50});
    assert_true(isnan(ratio.estimate));
}

/* For any intervals, either the ratio is NAN, or it is within its interval, as readers of results
 * require. */
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
    assert_all((none + some, 20000), (none > 1000 && some > 1000));
}

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

/* Draw the blocks of both sides. Both levels have the same drift, which is far larger than their
 * difference, SHIFT. */
static void fill_blocks(gsl_rng *rng, struct blocks *first, struct blocks *second, double shift)
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

static struct rates run_paired_trials(double shift)
{
    static struct blocks first, second;
    static struct paired paired;
    gsl_rng *rng = seeded(7);
    struct rates rates = {0};
    struct comparison comparison, unpaired;

    for (uint64_t i = 0; i < TRIALS; i++) {
        struct resampling resampling = {ROUNDS, 1, i};

        fill_blocks(rng, &first, &second, shift);
        assert_int_equal(
            paired_levels(&paired, as_series(&first), as_series(&second), &resampling, &error), 0);
        paired_compare(&paired, &comparison);
        assert_int_equal(
            comparison_estimate(&unpaired, first.values, ROUNDS, second.values, ROUNDS, i, &error),
            0);
        rates.called += (comparison.p < 0.05) / (double)TRIALS;
        rates.covered += covers(&comparison.difference, shift) / (double)TRIALS;
        rates.paired_width += comparison.difference.high - comparison.difference.low;
        rates.unpaired_width += unpaired.difference.high - unpaired.difference.low;
    }
    return rates;
}

TEST_CASE(levels_of_drifting_rounds)
{
    struct rates none = run_paired_trials(0), some = run_paired_trials(30);

    print_message("no difference: called %.3f, covered %.3f; 30 ns: called %.3f, covered %.3f; "
                  "intervals %.0f times as wide without pairs\n",
                  none.called, none.covered, some.called, some.covered,
                  none.unpaired_width / none.paired_width);
    assert_all((none.called, 0.05, 0.044), (none.covered, 0.95, 0.044), (some.covered, 0.95, 0.044),
               (some.called > 0.95), (none.unpaired_width > 10 * none.paired_width));
}

/* The difference is the median of the rounds' differences, not the difference of the levels. */
TEST_CASE(difference_is_paired)
{
    static struct blocks first = {.values = {1, 2, 30}}, second = {.values = {4, 50, 31}};
    static struct paired paired;
    struct resampling resampling = {3, 1, 1};
    struct comparison comparison;

    assert_int_equal(
        paired_levels(&paired, as_series(&first), as_series(&second), &resampling, &error), 0);
    paired_compare(&paired, &comparison);
    assert_all((comparison.first.estimate, 2, 0), (comparison.second.estimate, 31, 0));
    assert_near(comparison.difference.estimate, 3, 0); /* median of 3, 48 and 1 */
}

/* The replicates of two costs are paired. The estimates of a sum of contrasts are sums, too. */
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
    /* Both sides vary by a thousand between replicates, but the difference does not vary. */
    assert_all((comparison.difference.estimate, 30, 1e-9), (comparison.difference.low, 30, 1e-9),
               (comparison.difference.high, 30, 1e-9), (comparison.p, 0, 0));
    sum = cost;
    paired_add(&sum, &cost);
    paired_compare(&sum, &comparison);
    assert_all((comparison.first.estimate, 200, 1e-9), (comparison.second.estimate, 260, 1e-9),
               (comparison.difference.estimate, 60, 1e-9));
}

enum { CONTRASTS_MOST = 6, UNITS_MOST = 5 };

/* Contrasts of variants with one reference, measured in the same units. */
struct family {
    struct launch cells[CONTRASTS_MOST + 1][UNITS_MOST], differences[CONTRASTS_MOST][UNITS_MOST];
    struct contrast contrasts[CONTRASTS_MOST], *all[CONTRASTS_MOST];
};

/* Draw FAMILY: COUNT contrasts over UNITS units. The true difference of contrasts[K] is
 * TRUTH * (K + 1). In each unit, a difference has a standard error of 1 from its rounds, known to
 * 5 %. Between units, its standard deviation is TAU. The differences are correlated, because all
 * have the same reference. */
static void fill_family(gsl_rng *rng, struct family *family, size_t count, size_t units, double tau,
                        double truth)
{
    for (size_t u = 0; u < units; u++)
        for (size_t c = 0; c <= count; c++) {
            const double level = 100 + truth * (double)c + gsl_ran_gaussian(rng, tau / sqrt(2));

            family->cells[c][u] =
                (struct launch){0, level + gsl_ran_gaussian(rng, 1 / sqrt(2)), 1 / sqrt(2)};
            if (c > 0)
                family->differences[c - 1][u] =
                    (struct launch){0, family->cells[c][u].estimate - family->cells[0][u].estimate,
                                    1 + gsl_ran_gaussian(rng, 0.05)};
        }
    for (size_t k = 0; k < count; k++) {
        family->contrasts[k] = (struct contrast){.first = family->cells[0],
                                                 .second = family->cells[k + 1],
                                                 .differences = family->differences[k],
                                                 .first_count = units,
                                                 .second_count = units,
                                                 .difference_count = units};
        family->all[k] = &family->contrasts[k];
    }
}

static void give_rounds(struct family *family, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct comparison *comparison = &family->contrasts[k].comparison;

        comparison->difference = (struct interval){family->differences[k][0].estimate,
                                                   family->differences[k][0].estimate - 1.96,
                                                   family->differences[k][0].estimate + 1.96};
        comparison->p = comparison->adjusted_p = comparison_p(&comparison->difference);
    }
}

/* Results for identical variants. COVERED: share of intervals that cover 0. WIDTH: mean half-width
 * in a family. ALONE: mean half-width without a family. ALARMS: share of experiments in which a
 * difference is found. */
struct coverage {
    double covered, width, alone, alarms;
};

static struct coverage run_family(size_t count, size_t units, double tau)
{
    enum { EXPERIMENTS = 500 };
    static const struct contrast_margin none;
    gsl_rng *rng = seeded(5);
    struct coverage sum = {0};
    struct family family;

    for (int i = 0; i < EXPERIMENTS; i++) {
        bool alarm = false;

        fill_family(rng, &family, count, units, tau, 0);
        if (units == 1)
            give_rounds(&family, count);
        contrasts_estimate(family.all, count);
        assert_int_equal(contrasts_judge(family.all, count, &none, &error), 0);
        for (size_t k = 0; k < count; k++) {
            const struct contrast *contrast = &family.contrasts[k];
            struct contrast alone = *contrast, *only = &alone;

            assert_int_equal(contrast->moderated, units > 1);
            contrasts_estimate(&only, 1);
            sum.covered += covers(&contrast->comparison.difference, 0) / (double)count;
            sum.width += interval_half_width(&contrast->comparison.difference) / (double)count;
            sum.alone += interval_half_width(&alone.comparison.difference) / (double)count;
            alarm =
                alarm || contrast->word == COMPARISON_SLOWER || contrast->word == COMPARISON_FASTER;
        }
        sum.alarms += alarm;
    }
    return (struct coverage){sum.covered / EXPERIMENTS, sum.width / EXPERIMENTS,
                             sum.alone / EXPERIMENTS, sum.alarms / EXPERIMENTS};
}

/* Tolerance: 500 experiments with 5 % alarms have a standard deviation of 1 %. */
TEST_CASE(families)
{
    static const struct {
        size_t contrasts, units;
        double tau;
    } cases[] = {{6, 3, 0}, {6, 3, 1}, {6, 3, 3}, {6, 5, 0}, {6, 5, 1}, {6, 5, 3},
                 {3, 3, 0}, {3, 3, 1}, {3, 3, 3}, {3, 5, 0}, {3, 5, 1}, {3, 5, 3}};

    print_message("contrasts units  tau  covered  width  alone  alarms\n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct coverage found = run_family(cases[i].contrasts, cases[i].units, cases[i].tau);

        print_message("%9zu %5zu %4.0f   %.3f  %5.2f  %5.2f   %.3f\n", cases[i].contrasts,
                      cases[i].units, cases[i].tau, found.covered, found.width, found.alone,
                      found.alarms);
        assert_all((found.covered >= 0.935 && found.covered <= 0.985), (found.width <= found.alone),
                   (found.alarms <= 0.05 + 3 * 0.01));
    }
}

TEST_CASE(one_launch_has_few_alarms)
{
    const struct coverage found = run_family(6, 1, 0);

    print_message("one launch: covered %.3f, alarms %.3f\n", found.covered, found.alarms);
    assert_all((found.covered, 0.95, 0.02), (found.alarms <= 0.05 + 3 * 0.01));
}

/* Computed by hand by the formulas of contrasts_estimate(). Two differences vary no more than their
 * rounds explain, and the third does not vary. With S^2 = 2/3, w = 1 and L = 3, v is (2 x 2/3 +
 * 2 s^2) / 4. The third difference's interval is the one that its rounds imply, because that is
 * wider. */
TEST_CASE(moderated_by_hand)
{
    struct family family;

    fill_family(seeded(1), &family, 3, 3, 0, 0);
    for (size_t k = 0; k < 3; k++)
        for (size_t u = 0; u < 3; u++)
            family.differences[k][u] = (struct launch){0, 10 + (k < 2 ? (double)u - 1 : 0), 1};
    contrasts_estimate(family.all, 3);
    for (size_t k = 0; k < 3; k++) {
        const struct contrast *contrast = &family.contrasts[k];
        const struct interval *difference = &contrast->comparison.difference;
        const double deviation = sqrt((2 * 2.0 / 3 + (k < 2 ? 2 : 0)) / 4 / 3),
                     rounds = 1 / sqrt(3);
        const double half = fmax(2.776445105198 * deviation, 1.959963984540 * rounds);
        const double narrow = fmax(2.131846786327 * deviation, 1.644853626951 * rounds);

        assert_all((contrast->moderated), (difference->estimate, 10, 1e-12),
                   (interval_half_width(difference), half, 1e-9),
                   (interval_half_width(&contrast->narrow), narrow, 1e-9),
                   (contrast->comparison.p,
                    fmax(student_p(10 / deviation, 4), student_p(10 / rounds, INFINITY)), 1e-15));
    }
    /* Neither two contrasts nor two units make a family. */
    contrasts_estimate(family.all, 2);
    assert_false(family.contrasts[0].moderated);
    assert_near(interval_half_width(&family.contrasts[0].comparison.difference),
                4.302652729911 / sqrt(3), 1e-9);
    for (size_t k = 0; k < 3; k++)
        family.contrasts[k].difference_count = 2;
    contrasts_estimate(family.all, 3);
    assert_false(family.contrasts[0].moderated);
}

TEST_CASE(words)
{
    static const struct {
        double difference; /* mean difference of contrast 0, ns; its standard error is 0.6 */
        struct contrast_margin margin;
        double floor;
        enum comparison_verdict word;
    } cases[] = {{0.1, {0, 0}, 0, COMPARISON_SAME},
                 {10, {0, 0}, 0, COMPARISON_SLOWER},
                 {-10, {0, 0}, 0, COMPARISON_FASTER},
                 {10, {0, 0}, 12, COMPARISON_SAME},
                 {0.1, {5, 0}, 0, COMPARISON_EQUAL},
                 {0.1, {0, 0.05}, 0, COMPARISON_EQUAL},
                 {0.1, {0.1, 0}, 0, COMPARISON_SAME},
                 {10, {20, 0}, 0, COMPARISON_EQUAL}, /* within the margin, although significant */
                 {10, {9, 0}, 0, COMPARISON_SLOWER}};
    struct family family;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fill_family(seeded(3), &family, 3, 3, 0, 0);
        for (size_t u = 0; u < 3; u++)
            family.differences[0][u] =
                (struct launch){0, cases[i].difference + ((double)u - 1) / 2, 1};
        family.contrasts[0].floor = cases[i].floor;
        family.contrasts[2].difference_count = 0;
        family.contrasts[2].first_count = family.contrasts[2].second_count = 1;
        contrasts_estimate(family.all, 3);
        assert_all((contrasts_judge(family.all, 3, &cases[i].margin, &error), 0),
                   (family.contrasts[0].word, cases[i].word),
                   (family.contrasts[2].word, COMPARISON_UNKNOWN));
        /* Unknown contrasts were not tested, so p is adjusted for two. */
        assert_true(family.contrasts[0].comparison.adjusted_p <=
                    2 * family.contrasts[0].comparison.p);
    }
}

/* Variants without common units are compared by Welch's test; with one unit each, not at all. */
TEST_CASE(visits_apart)
{
    static const struct contrast_margin none;
    struct comparison welch;
    struct family family;

    fill_family(seeded(4), &family, 3, 5, 1, 50);
    for (size_t k = 0; k < 3; k++)
        family.contrasts[k].difference_count = 0;
    family.contrasts[2].first_count = family.contrasts[2].second_count = 1;
    contrasts_estimate(family.all, 3);
    assert_all((contrasts_judge(family.all, 3, &none, &error), 0),
               (comparison_of_launches(&welch, family.cells[0], 5, family.cells[1], 5)),
               (family.contrasts[0].comparison.difference.low, welch.difference.low, 1e-12),
               (family.contrasts[0].comparison.p, welch.p, 1e-12),
               (family.contrasts[1].word, COMPARISON_SLOWER),
               (family.contrasts[2].word, COMPARISON_UNKNOWN));
}

/* Compare with the quantiles of GSL, which computes them in another way. */
TEST_CASE(quantiles)
{
    static const double probabilities[] = {0.8, 0.95, 0.975}, degrees[] = {1, 2, 4, 19, 300};

    for (size_t i = 0; i < COUNT_OF(probabilities); i++)
        for (size_t j = 0; j < COUNT_OF(degrees); j++)
            assert_near(student_quantile(probabilities[i], degrees[j]),
                        gsl_cdf_tdist_Pinv(probabilities[i], degrees[j]), 1e-6);
    assert_near(student_quantile(0.8, INFINITY), 0.841621233573, 1e-9);
}
