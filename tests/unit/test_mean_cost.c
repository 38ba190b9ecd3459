/* The estimate of a known mean cost of calls, with heavy tails and the noise of a machine. */

#include "measure/statistics/mean_cost.h"
#include "measure/statistics/mean_interval.h"
#include "simulation.h"

static struct error error;

enum { BLOCK = 100, REPEATS = 300 };

/* A SHARE of the op's calls takes EXTRA_NS more than other calls. If DISTURBED, the machine
 * delays calls of the op and of NULL: one in 5000 by 0.2 ms, and one in 200,000 by a random time,
 * 5 ms on average. */
struct world {
    size_t rounds;
    double share, extra_ns;
    bool disturbed;
};

static double disturbance(gsl_rng *rng)
{
    return gsl_ran_binomial(rng, 1.0 / 5000, BLOCK) * 2e5 +
           gsl_ran_binomial(rng, 1.0 / 200000, BLOCK) * gsl_ran_lognormal(rng, 0, 1) * 3e6;
}

/* Draw a round's difference of the block means of op and NULL. */
static double difference(gsl_rng *rng, const struct world *world)
{
    double sum = world->extra_ns * gsl_ran_binomial(rng, world->share, BLOCK);

    if (world->disturbed)
        sum += disturbance(rng) - disturbance(rng);
    return sum / BLOCK + gsl_ran_gaussian(rng, 100);
}

/* Return the share of trials in which the interval covers the true mean. */
static double coverage(const struct world *world)
{
    gsl_rng *rng = seeded(11);
    double *values = calloc(world->rounds, sizeof *values);
    double truth = world->share * world->extra_ns;
    struct interval interval;
    int covered = 0;

    for (int i = 0; i < REPEATS; i++) {
        for (size_t round = 0; round < world->rounds; round++)
            values[round] = difference(rng, world);
        assert_int_equal(mean_interval(values, world->rounds, 1, (uint64_t)i, &interval, &error),
                         0);
        covered += covers(&interval, truth);
    }
    free(values);
    return (double)covered / REPEATS;
}

/* Coverage may be less than 95 % by chance (the standard deviation of 300 trials is 1.3 points) and
 * if slow calls are few. Intervals that are too wide are no error. */
TEST_CASE(coverage)
{
    static const struct {
        const char *name;
        struct world world;
        double least;
    } cases[] = {
        {"5 % of the calls 100 us slower, 30 rounds", {30, 0.05, 1e5, false}, 0.9},
        {"the same, 100 rounds, disturbed", {100, 0.05, 1e5, true}, 0.9},
        {"the same, 1000 rounds, disturbed", {1000, 0.05, 1e5, true}, 0.9},
        {"0.1 % 1 ms slower, 30 rounds: three calls", {30, 0.001, 1e6, false}, 0.88},
        {"the same, 100 rounds, disturbed", {100, 0.001, 1e6, true}, 0.92},
        {"the same, 1000 rounds, disturbed", {1000, 0.001, 1e6, true}, 0.92},
        {"0.02 % 10 ms slower, 100 rounds: two calls", {100, 0.0002, 1e7, false}, 0.78},
        {"the same, 1000 rounds", {1000, 0.0002, 1e7, false}, 0.92},
        {"none, 100 rounds, disturbed", {100, 0, 0, true}, 0.92},
        {"none, 1000 rounds, disturbed", {1000, 0, 0, true}, 0.92},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double covered = coverage(&cases[i].world);

        print_message("coverage: %-45s %.3f\n", cases[i].name, covered);
        assert_true(covered >= cases[i].least);
    }
}

TEST_CASE(interval_of_batches)
{
    const double values[] = {1, 3, 2, 4, 3, 5, 4, 6, 100};
    struct interval interval, same;

    assert_int_equal(mean_interval(values, 9, 2, 1, &interval, &error), 0);
    assert_near(interval.estimate, 128.0 / 9, 1e-9);     /* mean of all nine values */
    assert_true(interval.low < 2 && interval.high > 36); /* the last batch has three values */
    assert_int_equal(mean_interval(values, 9, 2, 1, &same, &error), 0);
    assert_memory_equal(&interval, &same, sizeof same);
    for (size_t n = 1; n <= 3; n++) { /* fewer than two batches: no interval */
        assert_int_equal(mean_interval(values, n, n < 2 ? 1 : 2, 1, &interval, &error), 0);
        assert_true(isnan(interval.low) && isnan(interval.high));
    }
}

/* A series drawn call by call, as in a run. */
struct made {
    struct series series;
    double trimmed[1000], mean[1000];
};

static struct made null_calls, op;

static void make_series(gsl_rng *rng, struct made *made, double level, double share)
{
    const size_t rounds = 300;

    memset(made, 0, sizeof *made);
    made->series.blocks[BLOCK_TRIMMED_MEAN] = made->trimmed;
    made->series.blocks[BLOCK_MEAN] = made->mean;
    for (size_t round = 0; round < rounds; round++) {
        double calls[BLOCK];

        for (size_t i = 0; i < BLOCK; i++) {
            bool slow = gsl_rng_uniform(rng) < share;

            calls[i] = level + gsl_ran_lognormal(rng, 5, 0.5) + (slow ? 1e5 : 0);
            histogram_record(&made->series.histogram, calls[i]);
        }
        estimate_sort(calls, BLOCK);
        made->trimmed[round] = estimate_trimmed_mean(calls, BLOCK, 0.1);
        made->mean[round] = estimate_trimmed_mean(calls, BLOCK, 0);
    }
}

/* Estimate the op's mean cost above NULL. A NULL call takes 9000 ns, and a call of the op LEVEL ns;
 * each has an additional jitter of 170 ns on average. A SHARE of the op's calls takes 100 us
 * more. */
static struct mean_cost estimate(gsl_rng *rng, double level, double share)
{
    struct resampling resampling = {300, 1, 5};
    struct mean_cost mean;
    struct interval typical;

    make_series(rng, &null_calls, 9000, 0);
    make_series(rng, &op, level, share);
    assert_all((above_null_interval(&op.series, &null_calls.series, 300, 5, &typical, &error), 0),
               (typical.estimate, level - 9000, 25),
               (mean_cost_estimate(&mean, &op.series, &null_calls.series, &resampling, &typical, 0,
                                   &error),
                0));
    return mean;
}

/* 5 % of the calls take 100 us more, so that the mean is 5 us larger. In addition, all calls cost
 * 0.2 us. */
TEST_CASE(rare_slow_calls)
{
    struct mean_cost mean = estimate(seeded(0), 9200, 0.05);

    assert_all((covers(&mean.cost, 5200)), (mean.rare.estimate, 5000, 400),
               (mean.rare_share, 0.05, 0.006), (mean.disagrees));
}

TEST_CASE(no_rare_calls)
{
    gsl_rng *rng = seeded(0);
    int disagree = 0;

    for (int i = 0; i < 40; i++) {
        struct mean_cost mean = estimate(rng, i % 2 ? 9000 : 12000, 0);

        assert_near(mean.cost.estimate, i % 2 ? 0 : 3000, 10);
        disagree += mean.disagrees;
    }
    assert_in_range(disagree, 0, 4);
}

TEST_CASE(rare_share_without_calls)
{
    static struct histogram first, second;

    assert_true(isnan(mean_cost_rare_share(&first, &second, 0, 10)));
    histogram_record(&first, 1000);
    histogram_record(&second, 1000);
    assert_true(isnan(mean_cost_rare_share(&first, &second, 0, 0)));
    assert_true(isnan(mean_cost_rare_share(&first, &second, 0, 10)));
}
