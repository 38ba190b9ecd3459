/* Intended send times: evenly spaced, by a Poisson process, and by a course of rates. Think times.
 * The duration of a schedule, and the share of a rate that a server can answer. */
#include "test.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>

#include "measure/arrivals.h"
#include "measure/load.h"
#include "measure/statistics/estimate.h"

enum { GAPS = 100000 };

static double gaps[GAPS];

TEST_CASE(constant_does_not_drift)
{
    struct arrivals arrivals;
    double gap = 1e9 / 30000; /* not an integer */

    arrivals_begin(&arrivals, ARRIVALS_CONSTANT, gap, 0, 1);
    assert_all((arrivals_next(&arrivals), 0, 0), (arrivals_next(&arrivals), gap, 0));
    for (int i = 2; i < 30000000; i++)
        arrivals_next(&arrivals);
    assert_near(arrivals_next(&arrivals), 1000e9, 1e-3); /* after 1000 s */
}

TEST_CASE(clients_take_turns)
{
    struct arrivals clients[3];

    for (size_t i = 0; i < 3; i++)
        arrivals_begin(&clients[i], ARRIVALS_CONSTANT, 300, 300 * (double)i / 3, i);
    for (int turn = 0; turn < 30; turn++)
        assert_near(arrivals_next(&clients[turn % 3]), 100 * turn, 1e-9);
}

/* Set gaps[] to the time from 0 to the first of ARRIVALS, and the times from each to the next.
 * Check that none is negative. */
static void fill_gaps(struct arrivals *arrivals)
{
    double before = 0;

    for (size_t i = 0; i < GAPS; i++) {
        double next = arrivals_next(arrivals);

        assert_true(next >= before);
        gaps[i] = next - before;
        before = next;
    }
}

/* The Kolmogorov-Smirnov distance from the exponential distribution exceeds 1.95 / sqrt(n) once in
 * a thousand times. */
TEST_CASE(poisson_gaps_are_exponential)
{
    struct arrivals arrivals;
    double distance = 0;

    arrivals_begin(&arrivals, ARRIVALS_POISSON, 5000, 0, 1);
    fill_gaps(&arrivals);
    assert_near(estimate_autocorrelation(gaps, GAPS), 0, 4 / sqrt(GAPS));
    estimate_sort(gaps, GAPS);
    for (size_t i = 0; i < GAPS; i++) {
        double cumulative = gsl_cdf_exponential_P(gaps[i], 5000);

        distance = fmax(distance, fabs(cumulative - ((double)i + 0.5) / GAPS));
    }
    assert_true(distance < 1.95 / sqrt(GAPS));
    assert_true(gaps[GAPS - 1] > 5000 * 8); /* a long tail */
}

TEST_CASE(poisson_does_not_drift)
{
    struct arrivals from_start, copy;
    double last = 0, sum = 0;

    arrivals_begin(&from_start, ARRIVALS_POISSON, 1e9 / 30000, 0, 3);
    for (int i = 0; i < 3000000; i++) {
        copy = from_start;
        copy.whole = 0; /* start from time 0, so that the result is the gap alone */
        copy.fraction = 0;
        sum += arrivals_next(&copy);
        last = arrivals_next(&from_start);
    }
    assert_near(last / (3000000 / 30000.0 * 1e9), 1, 4 / sqrt(3000000));
    assert_near(last, sum, 0.1); /* LAST is the sum of all gaps, without drift */
}

TEST_CASE(seeds)
{
    struct arrivals a, b, c;

    arrivals_begin(&a, ARRIVALS_POISSON, 100, 0, 5);
    arrivals_begin(&b, ARRIVALS_POISSON, 100, 0, 5);
    arrivals_begin(&c, ARRIVALS_POISSON, 100, 0, 6);
    for (int i = 0; i < 100; i++) {
        double next = arrivals_next(&a);

        assert_all((next == arrivals_next(&b)), (next != arrivals_next(&c)));
    }
}

/* A course of three intervals with 300, 0 and 100 calls. The last interval is half as long as the
 * first two. */
static const struct arrivals_course course = {.calls = {300, 0, 100}, .count = 3, .span = 2.5};

TEST_CASE(course_has_its_rates)
{
    struct arrivals_course even = course;
    struct arrivals arrivals;
    uint64_t intervals[4] = {0};
    double last = 0;

    arrivals_begin_course(&arrivals, &even, 10, 1);
    for (int i = 0; i < 40000; i++) {
        double time = arrivals_next(&arrivals), interval = 4000 / 2.5;
        double in = fmod(time, 4000) / interval;

        assert_true(time >= last);
        last = time;
        intervals[(size_t)in]++;
    }
    assert_all((last, 40000 * 10, 50), ((double)intervals[0], 30000, 110),
               (intervals[1] + intervals[3], 0));
}

TEST_CASE(course_has_its_burstiness)
{
    static const double wanted[] = {0.3, 1, 2};

    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        const struct arrivals_course one = {
            .calls = {1}, .count = 1, .span = 1, .burstiness = wanted[i]};
        struct arrivals arrivals;

        arrivals_begin_course(&arrivals, &one, 10, 7 + i);
        fill_gaps(&arrivals);
        assert_near(gsl_stats_mean(gaps, 1, GAPS), 10, 0.3);
        assert_near(gsl_stats_sd(gaps, 1, GAPS) / gsl_stats_mean(gaps, 1, GAPS), wanted[i],
                    0.05 * wanted[i]);
    }
}

TEST_CASE(think_times_have_their_mean)
{
    const struct think think = {.ns = {1e6, 2e6, 3e6, 5e6, 9e6, 20e6}, .calls = 1};
    struct random random;
    double sum = 0;

    random_seed(&random, 5);
    for (size_t i = 0; i < 100000; i++)
        sum += think_draw_ns(&think, &random);
    assert_near(think_mean_ns(&think) / (sum / 100000), 1, 0.01);
}

/* A schedule lasts until its last call is due, even if several processes make its calls. */
TEST_CASE(a_schedule_lasts_until_its_last_call)
{
    struct load load = {.rate = 10, .arrival = ARRIVALS_POISSON, .seed = 7};
    struct arrivals arrivals;
    double due = 0;

    load_begin_schedule(&load, 1e6, &arrivals);
    for (int i = 0; i < 30; i++)
        due = arrivals_next(&arrivals);
    assert_near(load_schedule_ns(&load, 30) / 1e6, due, 1e-6);
    assert_true(fabs(due - 3000) > 1);
    load.rate /= 3;
    load.ranks = 3;
    assert_near(load_schedule_ns(&load, 10) / 1e6, due, 1e-6);
}

TEST_CASE(the_mean_does_for_even_and_for_long_schedules)
{
    struct load load = {.rate = 10, .arrival = ARRIVALS_CONSTANT, .seed = 7};

    assert_near(load_schedule_ns(&load, 30), 3e9, 1);
    assert_near(load_schedule_most_ns(&load, 30), 3e9, 1);
    load.arrival = ARRIVALS_POISSON;
    assert_near(load_schedule_ns(&load, 1e9), 1e17, 1);
    assert_near(load_schedule_most_ns(&load, 100), 12e9, 1);
}

/* With 1024 calls in flight, a server that takes 20 ms for a call answers 51,200 calls/s. */
TEST_CASE(a_rate_is_reached_if_calls_are_answered)
{
    assert_near(arrivals_share_answered(50000, 1024, 20e6), 1.024, 1e-9);
    assert_near(arrivals_share_answered(50000, 1024, 800e6), 0.0256, 1e-9);
}
