/* Little's law and the knee, for systems with known answers. */

#include "simulation.h"
#include "sweep_points.h"

static struct error error;

static const double concurrencies[] = {1, 2, 4, 8, 12, 16, 32, 64};

enum { COUNT = COUNT_OF(concurrencies) };

/* A call takes 100 us, 12.5 us of it at the busiest station. With 8 or more calls in flight, this
 * station is always busy. */
CURVE(bounded, n, 10000 * fmin(n, 8))
CURVE(linear, n, 10000 * n)

/* A tenth of a call is spent at a station that serves one call at a time: at most 100000/s. */
CURVE(one_station, n, 10000 * n / (1 + 0.1 * (n - 1)))
CURVE(falling, n, 10000 / n)

/* The knee is a lower bound if the throughput still grows by more than KNEE_ELASTICITY_LEVEL at the
 * sweep's end. With one_station it always grows, but at 64 calls by less. */
TEST_CASE(knee_without_noise)
{
    static const struct {
        double (*law)(double);
        size_t count;
        bool lower_bound;
        double concurrency, throughput, response_ns;
    } cases[] = {
        {bounded, COUNT, false, 8, 80000, 100000},
        {one_station, COUNT, false, 64 / (1 + 0.1 * 63), 640000 / (1 + 0.1 * 63), 100000},
        {falling, COUNT, false, 1, 10000, 100000},
        {linear, COUNT, true, 64, 640000, 100000},
        {bounded, 3, true, 4, 40000, 100000},
        {one_station, 5, true, 12 / (1 + 0.1 * 11), 120000 / (1 + 0.1 * 11), 100000},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct sweep_points sweep;
        struct knee knee;

        sweep_points_simulate(&sweep, concurrencies, cases[i].count, 1, cases[i].law, 0, NULL);
        assert_int_equal(load_point_knee(sweep.points, cases[i].count, &knee, &error), 0);
        assert_int_equal(knee.lower_bound, cases[i].lower_bound);
        assert_near(knee.concurrency.estimate, cases[i].concurrency, 1e-9);
        assert_near(knee.throughput_maximum.estimate, cases[i].throughput, 1e-6);
        assert_near(knee.response_minimum.estimate, cases[i].response_ns, 1e-6);
    }
}

TEST_CASE(what_is_refused)
{
    const double same[] = {4, 4, 4};
    struct sweep_points sweep;
    struct little little;
    struct knee knee;

    sweep_points_simulate(&sweep, same, 3, 2, linear, 0, NULL);
    assert_int_equal(load_point_concurrencies(sweep.points, 3), 1);
    assert_int_equal(load_point_knee(sweep.points, 3, &knee, &error), -ENODATA);
    assert_int_equal(load_point_knee(sweep.points, 0, &knee, &error), -ENODATA);
    sweep_points_simulate(&sweep, concurrencies, COUNT, 2, linear, 0, NULL);
    sweep.response_ns[3][0] = NAN;
    assert_int_equal(load_point_knee(sweep.points, COUNT, &knee, &error), -EINVAL);
    assert_int_equal(load_point_little(&sweep.points[3], &little, &error), -EINVAL);
    sweep.response_ns[3][0] = -1;
    assert_int_equal(load_point_knee(sweep.points, COUNT, &knee, &error), -EINVAL);
    sweep.response_ns[3][0] = 1;
    sweep.points[3].response_ns.count = 1;
    assert_int_equal(load_point_little(&sweep.points[3], &little, &error), -EINVAL);
    sweep.points[3].throughput.count = sweep.points[3].response_ns.count = 0;
    assert_int_equal(load_point_little(&sweep.points[3], &little, &error), -EINVAL);
}

/* 90 % is the nominal coverage, 95 %, minus four standard deviations for 300 trials. The
 * highest of eight levels, five of which are equal, is slightly too high by chance. With 3 % noise
 * the intervals still cover the knee. */
TEST_CASE(knee_coverage)
{
    gsl_rng *rng = seeded(0);
    int covered = 0, trials = 300;

    for (int i = 0; i < trials; i++) {
        struct sweep_points sweep;
        struct knee knee;

        sweep_points_simulate(&sweep, concurrencies, COUNT, 5, bounded, 0.03, rng);
        assert_int_equal(load_point_knee(sweep.points, COUNT, &knee, &error), 0);
        covered += covers(&knee.concurrency, 8);
        assert_all((knee.concurrency.estimate, 8, 1),
                   (knee.concurrency.high - knee.concurrency.low < 2), (!knee.lower_bound));
    }
    print_message("coverage: knee %.3f\n", (double)covered / trials);
    assert_true(covered >= 0.9 * trials);
}

/* With 16 calls in flight at about 80000 calls/s, calls take 200 us by Little's law. */
TEST_CASE(little)
{
    static const double x[] = {80000, 80100, 79900, 80050, 79950};
    static const struct {
        double response_ns[5];
        double turn_around_ns[5]; /* turn-around of each unit, ns; 0 if unknown */
        size_t repeats;
        enum little_verdict verdict;
        double discrepancy; /* expected discrepancy; NAN: any value */
    } cases[] = {
        {{200e3, 199.8e3, 200.2e3, 199.9e3, 200.1e3}, {0}, 5, LITTLE_HOLDS, 0},
        {{180e3, 179.8e3, 180.2e3, 179.9e3, 180.1e3}, {0}, 5, LITTLE_BELOW, -0.1},
        {{220e3, 219.8e3, 220.2e3, 219.9e3, 220.1e3}, {0}, 5, LITTLE_ABOVE, 0.1},
        {{220e3}, {0}, 1, LITTLE_UNKNOWN, 0.1},
        {{200e3}, {0}, 1, LITTLE_HOLDS, 0},
        {{220e3, 150e3, 212e3, 260e3, 190e3}, {0}, 5, LITTLE_HOLDS, NAN}, /* within the noise */
        /* With 20 us of turn-around, the total is 200 us and the law holds; 30 us are too many. */
        {{180e3, 180e3, 180e3}, {20e3, 20e3, 20e3}, 3, LITTLE_HOLDS, 0},
        {{180e3, 180e3, 180e3}, {30e3, 30e3, 30e3}, 3, LITTLE_ABOVE, 0.05},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const size_t n = cases[i].repeats, turns = cases[i].turn_around_ns[0] > 0 ? n : 0;
        struct load_point point = {
            16, {x, n}, {cases[i].response_ns, n}, {cases[i].turn_around_ns, turns}};
        struct little little;

        assert_int_equal(load_point_little(&point, &little, &error), 0);
        assert_int_equal(little.verdict, cases[i].verdict);
        if (!isnan(cases[i].discrepancy))
            assert_near(little.discrepancy.estimate, cases[i].discrepancy, n > 1 ? 0.001 : 1e-6);
        if (cases[i].verdict == LITTLE_BELOW)
            assert_true(little.discrepancy.high < -0.09);
        point.turn_around_ns.count = 2;
        assert_int_equal(load_point_little(&point, &little, &error), -EINVAL);
    }
}
