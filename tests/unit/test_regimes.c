/* Changes of a level: how often a change is found in rounds without one, how often the number of
 * regimes is right, and the interval of a median within regimes. */
#include "measure/statistics/regimes.h"
#include "simulation.h"

enum { RUNS = 1000, ROUNDS_MOST = 1000 };

static struct error error;

/* Draw N rounds of about 15 us. NOISE is their standard deviation, divided by the mean; RHO their
 * autocorrelation; SHARE the share of rounds that take 1.5 times as long. */
static void draw_levels(gsl_rng *rng, double *values, size_t n, double noise, double rho,
                        double share)
{
    double x = gsl_ran_gaussian(rng, 1);

    for (size_t i = 0; i < n; i++) {
        values[i] = 15000 * (1 + noise * x);
        if (gsl_rng_uniform(rng) < share)
            values[i] *= 1.5;
        x = rho * x + gsl_ran_gaussian(rng, sqrt(1 - rho * rho));
    }
}

/* Return in how many runs a change is found although there is none. */
static unsigned alarms(unsigned long seed, size_t n, double noise, double rho, double share)
{
    gsl_rng *rng = seeded(seed);
    double values[ROUNDS_MOST];
    struct regimes regimes;
    unsigned seen = 0;

    for (unsigned i = 0; i < RUNS; i++) {
        draw_levels(rng, values, n, noise, rho, share);
        assert_int_equal(regimes_find(&regimes, values, n, &error), 0);
        seen += regimes.count > 1;
    }
    return seen;
}

TEST_CASE(few_false_alarms)
{
    static const size_t sizes[] = {20, 50, 100, 300, 1000};

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const unsigned alone = alarms(1 + i, sizes[i], 0.1, 0, 0);
        const unsigned outliers = alarms(11 + i, sizes[i], 0.03, 0, 0.1);
        const unsigned correlated = alarms(21 + i, sizes[i], 0.1, 0.5, 0);

        printf("%4zu rounds: %.1f %% alarms, %.1f %% with outliers, %.1f %% with correlation 0.5\n",
               sizes[i], 100.0 * alone / RUNS, 100.0 * outliers / RUNS, 100.0 * correlated / RUNS);
        assert_true(alone <= RUNS / 100 && outliers <= RUNS / 100 && correlated <= RUNS / 100);
    }
}

/* Return in how many runs the number of regimes is right, if rounds FROM to TO - 1 take 1 + SHARE
 * times as long. */
static unsigned found(unsigned long seed, size_t n, size_t from, size_t to, double share)
{
    const size_t count = 1u + (from > 0) + (to < n);
    gsl_rng *rng = seeded(seed);
    double values[ROUNDS_MOST];
    struct regimes regimes;
    unsigned right = 0;

    for (unsigned i = 0; i < RUNS; i++) {
        draw_levels(rng, values, n, 0.03, 0, 0.02);
        for (size_t j = from; j < to; j++)
            values[j] *= 1 + share;
        assert_int_equal(regimes_find(&regimes, values, n, &error), 0);
        right += regimes.count == count;
    }
    return right;
}

TEST_CASE(changes_of_a_third_are_found)
{
    const unsigned first = found(31, 100, 0, 33, 0.05), last = found(32, 300, 200, 300, 0.05),
                   middle = found(33, 300, 100, 200, 0.05), much = found(34, 60, 40, 60, 0.3);

    printf("found: %u, %u, %u and %u of %u\n", first, last, middle, much, RUNS);
    assert_true(first > 0.93 * RUNS && last > 0.97 * RUNS && middle > 0.97 * RUNS &&
                much > 0.95 * RUNS);
}

TEST_CASE(the_median_within_regimes)
{
    enum { N = 300, LAST = 200 };
    gsl_rng *rng = seeded(41);
    const double truth = (0.88 * LAST + 1.7 * (N - LAST)) / N;
    const struct regimes regimes = {{{LAST, 15}, {N - LAST, 20}}, 2};
    const struct resampling resampling = {N, 1, 7, &regimes};
    double values[N];
    unsigned right = 0;

    for (unsigned i = 0; i < RUNS / 5; i++) {
        struct replicates replicates;
        struct interval interval;

        for (size_t j = 0; j < N; j++)
            values[j] = (j < LAST ? 0.88 : 1.7) + gsl_ran_gaussian(rng, 0.3);
        assert_int_equal(estimate_median_replicates(values, &resampling, &replicates, &error), 0);
        estimate_interval(&replicates, &interval);
        right += covers(&interval, truth);
        assert_true(interval.high - interval.low < 0.15);
    }
    printf("the interval covers the truth in %.1f %%\n", 100.0 * right * 5 / RUNS);
    assert_in_range(right, 0.91 * RUNS / 5, RUNS / 5);
    assert_near(regimes_extent(regimes.list, 2), 1.0 / 3, 1e-9);
}
