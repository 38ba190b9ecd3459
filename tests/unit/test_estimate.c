/* The estimators, compared with GSL and with known distributions. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

#include "simulation.h"

static struct error error;

static void fill_normal(gsl_rng *rng, double *values, size_t n, double mean, double sigma)
{
    for (size_t i = 0; i < n; i++)
        values[i] = mean + gsl_ran_gaussian(rng, sigma);
}

/* Draw N VALUES around MEAN: x[i] = RHO * x[i - 1] + noise. */
static void fill_autoregressive(gsl_rng *rng, double *values, size_t n, double mean, double rho)
{
    double x = gsl_ran_gaussian(rng, 1 / sqrt(1 - rho * rho));

    for (size_t i = 0; i < n; i++) {
        values[i] = mean + x;
        x = rho * x + gsl_ran_gaussian(rng, 1);
    }
}

TEST_CASE(against_gsl)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 9, 10, 11, 19, 20, 100, 101, 1000};
    gsl_rng *rng = seeded(1);
    double values[1000], sorted[1000];

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        size_t n = sizes[i];

        fill_normal(rng, values, n, 100, 15);
        memcpy(sorted, values, n * sizeof *values);
        gsl_sort(sorted, 1, n);
        assert_near(estimate_median(values, n), gsl_stats_median_from_sorted_data(sorted, 1, n),
                    1e-9);
        assert_memory_equal(values, sorted, n * sizeof *values);
        assert_near(estimate_trimmed_mean(sorted, n, 0.1),
                    gsl_stats_trmean_from_sorted_data(0.1, sorted, 1, n), 1e-9);
        assert_near(estimate_trimmed_mean(sorted, n, 0), gsl_stats_mean(sorted, 1, n), 1e-9);
    }
}

TEST_CASE(quantile_by_nearest_rank)
{
    const double sorted[] = {15, 20, 35, 40, 50};

    assert_all(
        (estimate_quantile(sorted, 5, 0), 15, 0), (estimate_quantile(sorted, 5, 0.05), 15, 0),
        (estimate_quantile(sorted, 5, 0.3), 20, 0), (estimate_quantile(sorted, 5, 0.4), 20, 0),
        (estimate_quantile(sorted, 5, 0.5), 35, 0), (estimate_quantile(sorted, 5, 1), 50, 0));
}

TEST_CASE(outliers_are_cut)
{
    double values[100];

    for (size_t i = 0; i < 100; i++)
        values[i] = i < 90 ? 10 : 1e6;
    assert_near(estimate_trimmed_mean(values, 100, 0.1), 10, 1e-9);
}

TEST_CASE(autocorrelation_against_gsl)
{
    gsl_rng *rng = seeded(2);
    double values[4000], work[2 * 4000];
    const double rhos[] = {-0.6, 0, 0.3, 0.8};

    for (size_t i = 0; i < COUNT_OF(rhos); i++) {
        double ours, spearman;

        fill_autoregressive(rng, values, 4000, 5, rhos[i]);
        ours = estimate_autocorrelation(values, 4000);
        spearman = gsl_stats_spearman(values, 1, values + 1, 1, 3999, work);
        assert_near(ours, spearman, 1e-3); /* GSL ranks the two series separately */
        assert_near(ours, rhos[i], 0.06);
    }
    for (size_t i = 0; i < 100; i++)
        values[i] = 7;
    assert_near(estimate_autocorrelation(values, 100), 0, 0);
    assert_near(estimate_autocorrelation(values, 3), 0, 0);
}

TEST_CASE(block_length)
{
    gsl_rng *rng = seeded(3);
    double values[1000];
    size_t weak, strong;

    fill_normal(rng, values, 1000, 0, 1);
    assert_int_equal(estimate_block_length(values, 1000), 1);
    fill_autoregressive(rng, values, 1000, 0, 0.3);
    weak = estimate_block_length(values, 1000);
    fill_autoregressive(rng, values, 1000, 0, 0.9);
    strong = estimate_block_length(values, 1000);
    assert_in_range(weak, 8, 40);
    assert_in_range(strong, 50, 240);
    for (size_t i = 0; i < 1000; i++)
        values[i] = (double)i;
    assert_in_range(estimate_block_length(values, 1000), 200, 250);
    assert_int_equal(estimate_block_length(values, 4), 1);
}

TEST_CASE(interval_is_repeatable)
{
    gsl_rng *rng = seeded(4);
    struct interval a, b, c;
    double values[301], copy[301];

    fill_normal(rng, values, 301, 50, 10);
    memcpy(copy, values, sizeof copy);
    assert_int_equal(estimate_median_interval(values, 301, 9, &a, &error), 0);
    assert_memory_equal(values, copy, sizeof copy);
    assert_int_equal(estimate_median_interval(values, 301, 9, &b, &error), 0);
    assert_int_equal(estimate_median_interval(values, 301, 10, &c, &error), 0);
    assert_memory_equal(&a, &b, sizeof a);
    assert_all((c.low, a.low, 1), (a.estimate, estimate_median(copy, 301), 0),
               (a.low < a.estimate && a.estimate < a.high));
    /* The median's asymptotic standard error is 1.2533 sigma / sqrt(n). */
    assert_near(a.high - a.low, 2 * 1.96 * 1.2533 * 10 / sqrt(301), 1.2);
}

TEST_CASE(smallest_intervals)
{
    const double one[] = {3}, two[] = {3, 5};
    struct interval interval;

    assert_int_equal(estimate_median_interval(one, 1, 1, &interval, &error), 0);
    assert_near(interval.estimate, 3, 0);
    assert_true(isnan(interval.low) && isnan(interval.high));
    assert_all((!estimate_excludes_0(&interval)),
               (estimate_median_interval(two, 2, 1, &interval, &error), 0),
               (interval.estimate, 4, 0), (interval.low, 3, 0), (interval.high, 5, 0),
               (estimate_excludes_0(&interval)));
}

TEST_CASE(no_interval_adds_up_to_none)
{
    static struct replicates one, sum;
    struct resampling resampling = {1, 1, 3};
    const double value = 3;
    struct interval interval;

    assert_int_equal(estimate_median_replicates(&value, &resampling, &one, &error), 0);
    sum = (struct replicates){.widen = 1};
    estimate_add(&sum, 2, &one);
    estimate_interval(&sum, &interval);
    assert_all((interval.estimate, 6, 0), (isnan(interval.low) && isnan(interval.high)));
}

/* The interval of a difference of two strongly correlated medians is far narrower than that of the
 * first median. */
TEST_CASE(replicates_add_up)
{
    gsl_rng *rng = seeded(5);
    static struct replicates sum, term;
    struct resampling resampling = {400, 1, 3};
    double a[400], b[400];
    struct interval interval;

    for (size_t i = 0; i < 400; i++) {
        double common = gsl_ran_gaussian(rng, 100);

        a[i] = common + 5 + gsl_ran_gaussian(rng, 0.1);
        b[i] = common + gsl_ran_gaussian(rng, 0.1);
    }
    assert_int_equal(estimate_median_replicates(a, &resampling, &sum, &error), 0);
    assert_int_equal(estimate_median_replicates(b, &resampling, &term, &error), 0);
    estimate_interval(&sum, &interval);
    assert_true(interval.high - interval.low > 10);
    estimate_add(&sum, -1, &term);
    estimate_interval(&sum, &interval);
    assert_near(sum.estimate, 5, 0.2);
    assert_true(interval.low < 5 && 5 < interval.high && interval.high - interval.low < 0.4);
}

TEST_CASE(few_blocks_widen)
{
    gsl_rng *rng = seeded(8);
    static struct replicates replicates;
    struct resampling resampling = {100, 10, 3};
    double values[100];

    fill_normal(rng, values, 100, 0, 1);
    assert_int_equal(estimate_median_replicates(values, &resampling, &replicates, &error), 0);
    assert_near(replicates.widen, 2.262 / 1.960 * sqrt(10.0 / 9),
                0.01); /* Student's t, 9 degrees of freedom */
    resampling.block = 1;
    assert_int_equal(estimate_median_replicates(values, &resampling, &replicates, &error), 0);
    assert_near(replicates.widen, 1, 0);
}

/* Return the share of REPEATS samples of N values whose 95 % interval covers the true median, 0. */
static double coverage(void (*fill)(gsl_rng *, double *, size_t), size_t n, int repeats)
{
    gsl_rng *rng = seeded(6);
    double *values = calloc(n, sizeof *values);
    int covered = 0;

    assert_non_null(values);
    for (int i = 0; i < repeats; i++) {
        struct interval interval;

        fill(rng, values, n);
        assert_int_equal(estimate_median_interval(values, n, (uint64_t)i, &interval, &error), 0);
        covered += covers(&interval, 0);
    }
    free(values);
    return (double)covered / repeats;
}

static void normal_sample(gsl_rng *rng, double *values, size_t n)
{
    fill_normal(rng, values, n, 0, 3);
}

/* Draw differences of block means as on a noisy machine: most are close to 0, some far from it. */
static void contaminated_sample(gsl_rng *rng, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = gsl_ran_gaussian(rng, gsl_rng_uniform(rng) < 0.1 ? 50 : 1);
}

static void lognormal_difference_sample(gsl_rng *rng, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = gsl_ran_lognormal(rng, 1, 1) - gsl_ran_lognormal(rng, 1, 1);
}

static void autoregressive_sample(gsl_rng *rng, double *values, size_t n)
{
    fill_autoregressive(rng, values, n, 0, 0.5);
}

/* Draw values; a tenth of their variance changes slowly: an autoregression, coefficient 0.95. */
static void slow_sample(gsl_rng *rng, double *values, size_t n)
{
    double x = gsl_ran_gaussian(rng, sqrt(0.1));

    for (size_t i = 0; i < n; i++) {
        values[i] = gsl_ran_gaussian(rng, sqrt(0.9)) + x;
        x = 0.95 * x + gsl_ran_gaussian(rng, sqrt(0.1 * (1 - 0.95 * 0.95)));
    }
}

/* Draw values that alternate between two regimes. A regime lasts for 60 values on average. */
static void regimes_sample(gsl_rng *rng, double *values, size_t n)
{
    double level = gsl_ran_bernoulli(rng, 0.5) ? sqrt(0.1) : -sqrt(0.1);

    for (size_t i = 0; i < n; i++) {
        values[i] = gsl_ran_gaussian(rng, sqrt(0.9)) + level;
        if (gsl_ran_bernoulli(rng, 1.0 / 60))
            level = -level;
    }
}

/* Tolerance: four standard deviations of 400 trials at 95 % are 4.4 points. Slow changes hardly
 * show in the autocorrelation of neighbours, so coverage may be lower if there are any. */
TEST_CASE(coverage)
{
    static const struct {
        const char *name;
        void (*fill)(gsl_rng *, double *, size_t);
        size_t n;
        double least;
    } cases[] = {{"normal", normal_sample, 200, 0.906},
                 {"contaminated", contaminated_sample, 200, 0.906},
                 {"difference of lognormal", lognormal_difference_sample, 200, 0.906},
                 {"AR(0.5)", autoregressive_sample, 400, 0.906},
                 {"a tenth AR(0.95)", slow_sample, 400, 0.83},
                 {"a tenth AR(0.95)", slow_sample, 1000, 0.88},
                 {"a tenth AR(0.95)", slow_sample, 3000, 0.90},
                 {"regimes of 60", regimes_sample, 400, 0.80},
                 {"regimes of 60", regimes_sample, 1000, 0.88},
                 {"regimes of 60", regimes_sample, 3000, 0.90}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double covered = coverage(cases[i].fill, cases[i].n, 400);

        print_message("%s, %zu rounds: coverage %.3f\n", cases[i].name, cases[i].n, covered);
        assert_true(covered >= cases[i].least && covered <= 0.994);
    }
}

TEST_CASE(blocks_of_one)
{
    static const size_t sizes[] = {100, 400, 3000};
    gsl_rng *rng = seeded(12);
    double values[3000];

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        int longer = 0;

        for (int j = 0; j < 200; j++) {
            fill_normal(rng, values, sizes[i], 0, 1);
            longer += estimate_block_length(values, sizes[i]) > 1;
        }
        print_message("%zu independent rounds: longer blocks in %d of 200\n", sizes[i], longer);
        assert_true(longer <= 30);
    }
}

static const double degrees[] = {0.5, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 12.3, 30, 1000, 123456};

TEST_CASE(quantile)
{
    for (size_t i = 0; i < COUNT_OF(degrees); i++)
        assert_near(student_975(degrees[i]) / gsl_cdf_tdist_Pinv(0.975, degrees[i]), 1, 1e-9);
    assert_near(student_975(INFINITY), 1.959963984540054, 1e-9);
    assert_near(student_975(1), 12.7062047362, 1e-8); /* tan(0.475 pi) */
}

TEST_CASE(probability)
{
    static const double t[] = {1e-6, 0.1, 1, 2, 5, 40, 1e6};

    for (size_t i = 0; i < COUNT_OF(degrees); i++) {
        for (size_t j = 0; j < COUNT_OF(t); j++) {
            double exact = 2 * gsl_cdf_tdist_Q(t[j], degrees[i]);

            assert_near(student_p(t[j], degrees[i]), exact, 1e-9 * exact + 1e-300);
            assert_near(student_p(-t[j], degrees[i]), exact, 1e-9 * exact + 1e-300);
        }
        assert_all((student_p(0, degrees[i]), 1, 1e-12), (student_p(INFINITY, degrees[i]), 0, 0));
    }
    assert_near(student_p(2, INFINITY), 0.0455002638964, 1e-12);
}
