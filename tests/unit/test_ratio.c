/* The intervals of a rate and of the ratio of two rates, in simulated rounds with known means. */
#include "measure/statistics/mean_interval.h"
#include "simulation.h"

static struct error error;

enum { ROUNDS = 60, TRIALS = 200 };

struct world {
    double noise;  /* standard deviation of the logarithm of one side's time in a round */
    double shared; /* standard deviation of the logarithm of both sides' common factor */
    double slow;   /* share of each side's rounds that take ten times as long */
};

#define OWN    200.0 /* ns per call of the first side, without noise; OTHERS: of the second */
#define OTHERS 100.0

static double round_of(gsl_rng *rng, double mean, double drift, const struct world *world)
{
    double taken = mean * drift * exp(gsl_ran_gaussian(rng, world->noise));

    return gsl_rng_uniform(rng) < world->slow ? 10 * taken : taken;
}

/* Return the share of TRIALS in which the interval covers the true ratio of rates or, if ALONE, the
 * first side's true rate. Set *WIDTH to the mean of the interval's width, divided by the interval's
 * estimate. */
static double coverage(const struct world *world, bool alone, double *width)
{
    gsl_rng *rng = seeded(5);
    double own[ROUNDS], others[ROUNDS], slower = 1 + 9 * world->slow;
    double noise = exp(world->noise * world->noise / 2 + world->shared * world->shared / 2);
    int covered = 0;

    *width = 0;
    for (int i = 0; i < TRIALS; i++) {
        double truth = alone ? 1 / (OWN * noise * slower) : OTHERS / OWN;
        struct interval interval;

        for (size_t j = 0; j < ROUNDS; j++) {
            double drift = exp(gsl_ran_gaussian(rng, world->shared));

            own[j] = round_of(rng, OWN, drift, world);
            others[j] = round_of(rng, OTHERS, drift, world);
        }
        assert_all(
            (ratio_interval(alone ? 1 / mean_of(own, ROUNDS)
                                  : mean_of(others, ROUNDS) / mean_of(own, ROUNDS),
                            own, alone ? NULL : others, ROUNDS, (uint64_t)i, &interval, &error),
             0),
            (interval.low > 0 && interval.low <= interval.estimate),
            (interval.estimate <= interval.high));
        covered += covers(&interval, truth);
        *width += (interval.high - interval.low) / interval.estimate / TRIALS;
    }
    return (double)covered / TRIALS;
}

/* Tolerance: four standard deviations of 200 trials at 95 % are 6 points. */
TEST_CASE(coverage)
{
    static const struct world worlds[] = {{0.05, 0, 0}, {0.3, 0, 0}, {0.05, 0.3, 0}, {0.1, 0, 0.1}};
    double width;

    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++)
        for (int alone = 0; alone < 2; alone++) {
            double covered = coverage(&worlds[i], alone, &width);

            print_message("world %zu, %s: %.3f, width %.3f\n", i, alone ? "rate" : "ratio", covered,
                          width);
            assert_true(covered >= 0.89);
        }
}

/* Causes that slow down both sides widen the rate's interval, but not the ratio's. */
TEST_CASE(shared)
{
    const struct world world = {0.05, 0.3, 0};
    double of_rate, of_ratio;

    coverage(&world, true, &of_rate);
    coverage(&world, false, &of_ratio);
    assert_true(of_ratio < of_rate / 3);
}

TEST_CASE(single_round)
{
    const double own[] = {200}, others[] = {100};
    struct interval interval;

    assert_int_equal(ratio_interval(0.5, own, others, 1, 1, &interval, &error), 0);
    assert_true(interval.estimate == 0.5 && isnan(interval.low) && isnan(interval.high));
}

TEST_CASE(inverse)
{
    const double own[] = {200, 210, 190, 400, 205}, others[] = {100, 98, 103, 101, 150};
    struct interval ratio, inverse;

    assert_int_equal(ratio_interval(0.4, own, others, 5, 1, &ratio, &error), 0);
    assert_int_equal(ratio_interval(2.5, others, own, 5, 1, &inverse, &error), 0);
    assert_true(fabs(ratio.low * inverse.high - 1) < 0.1);
    assert_true(fabs(ratio.high * inverse.low - 1) < 0.1);
}
