/* Tests of distributions, and of finding the tick of a capture's clock. */
#include "test.h"

#include "profile/distribution.h"
#include "profile/stamp_clock.h"

static struct distribution distribution;
static struct stamp_clock stamps;

FIXTURE(set_up, distribution = (struct distribution){.distinct = 0},
        stamps = (struct stamp_clock){.last = 0}, 0)

TEST_CASE_WITH(quantiles_of_few_values_are_these_values, set_up, NULL)
{
    static const double values[] = {10e6, 0, 0, 20e6, 0, 10e6, 0, 10e6, 0, 0};

    assert_near(distribution_quantile(&distribution, 0.5), 0, 0);
    for (size_t i = 0; i < COUNT_OF(values); i++)
        distribution_add(&distribution, values[i]);
    assert_all((distribution.distinct, 3), (distribution_quantile(&distribution, 0), 0, 0),
               (distribution_quantile(&distribution, 0.5), 0, 0),
               (distribution_quantile(&distribution, 0.6), 0, 0),
               (distribution_quantile(&distribution, 0.61), 10e6, 0),
               (distribution_quantile(&distribution, 0.9), 10e6, 0),
               (distribution_quantile(&distribution, 0.99), 20e6, 0),
               (distribution.histogram.mean, 5e6, 1e-3));
}

/* Above DISTRIBUTION_EXACT distinct values, quantiles are midpoints of the histogram's buckets. */
TEST_CASE_WITH(quantiles_of_many_values_are_those_of_buckets, set_up, NULL)
{
    for (size_t i = DISTRIBUTION_EXACT; i > 0; i--)
        distribution_add(&distribution, 1001 * (double)i);
    assert_near(distribution_quantile(&distribution, 0.5), 1001 * DISTRIBUTION_EXACT / 2.0, 0);
    distribution_add(&distribution, 7);
    assert_near(distribution_quantile(&distribution, 0.5),
                histogram_quantile(&distribution.histogram, 0.5), 0);
}

/* Return the tick that is found. The calls take 0.3 ms, and are due every 40 ms but begin 0 to 65
 * ms late. The clock ticks every TICK_US. */
static double tick_of(double tick_us)
{
    uint64_t random = 7, sent = 0;

    stamps = (struct stamp_clock){.last = 0};
    for (unsigned i = 0; i < 100; i++) {
        for (unsigned is_reply = 0; is_reply < 2; is_reply++) {
            double us = floor((1e6 + (double)i * 40000 + (double)(random >> 48) + is_reply * 300) /
                              tick_us) *
                        tick_us;
            uint64_t ns = (uint64_t)(1e3 * us);

            stamp_clock_add_packet(&stamps, ns);
            if (is_reply)
                stamp_clock_add_latency(&stamps, ns > sent ? ns - sent : 0);
            sent = ns;
        }
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    }
    return stamp_clock_tick(&stamps);
}

TEST_CASE(coarse_clocks_are_found)
{
    assert_all((tick_of(10000), 1e7, 0), (tick_of(4000), 4e6, 0), (tick_of(1000), 1e6, 0),
               (tick_of(15625), 15625000, 0));
    assert_all((tick_of(1), 0, 0), (tick_of(0.001), 0, 0), (tick_of(10), 0, 0));
}

static void add_packets(const unsigned *us, size_t count)
{
    uint64_t time = stamps.last ? stamps.last : 1000000000;

    for (size_t i = 0; i < count; i++) {
        time += us[i] * UINT64_C(1000);
        stamp_clock_add_packet(&stamps, time);
    }
}

/* The tick is found while the clock is being adjusted, but only if a reply has its call's time. The
 * smallest gap comes late, and one gap has too many ticks to count. After a gap far below the tick,
 * no tick is found. */
TEST_CASE_WITH(ticks_may_differ_a_little, set_up, NULL)
{
    static const unsigned us[] = {0,    20003, 0,     10001, 9998, 0,     10000, 30004, 0,   9999,
                                  9999, 10001, 90011, 0,     9999, 10000, 19998, 0,     9997};

    add_packets(us, COUNT_OF(us));
    assert_near(stamp_clock_tick(&stamps), 0, 0);
    for (size_t i = 0; i < 6; i++)
        stamp_clock_add_latency(&stamps, i < 5 ? 10000000 : 0);
    assert_near(stamp_clock_tick(&stamps), 1e7, 0);
    add_packets((unsigned[]){300}, 1);
    assert_near(stamp_clock_tick(&stamps), 0, 0);
}

/* Calls of 0.5 ms at equal intervals look like ticks but are not. */
TEST_CASE_WITH(equal_intervals_are_no_ticks, set_up, NULL)
{
    for (size_t i = 0; i < 100; i++) {
        add_packets((unsigned[]){1000, 500}, 2);
        stamp_clock_add_latency(&stamps, 500000);
    }
    assert_near(stamp_clock_tick(&stamps), 0, 0);
}

TEST_CASE(times_are_whole_ticks)
{
    assert_all((stamp_clock_round(12345, 0), 12345, 0), (stamp_clock_round(4e6, 1e7), 0, 0),
               (stamp_clock_round(14.9e6, 1e7), 1e7, 0));
}
