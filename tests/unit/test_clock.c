/* The clocks: their arithmetic with a fake clock, and properties of the real clocks. */
#include "test.h"

#include "measure/clock.h"

TEST_CASE(sample_takes_the_cost_off)
{
    struct clock clock = {.ns_per_tick = 0.5, .cost_ticks = 40};

    assert_all((clock_sample_ns(&clock, 1040), 500, 1e-9), (clock_sample_ns(&clock, 40), 0, 0),
               (clock_sample_ns(&clock, 39), 0, 0));
}

TEST_CASE(disagreement)
{
    struct clock clock = {.ns_per_tick = 2};
    struct clock_check check = {.first_ticks = 1000, .first_raw_ns = 5000};

    check.last_ticks = check.first_ticks + 500000000;
    check.last_raw_ns = check.first_raw_ns + 1000000000;
    assert_near(clock_check_ppm(&check, &clock), 0, 1e-6);
    check.last_raw_ns -= 1000; /* a microsecond less than the second that the clock counted */
    assert_near(clock_check_ppm(&check, &clock), 1, 1e-3);
    check.last_raw_ns += 3000;
    assert_near(clock_check_ppm(&check, &clock), -2, 1e-3);
    check.last_raw_ns = check.first_raw_ns;
    assert_near(clock_check_ppm(&check, &clock), 0, 0);
}

static uint64_t fake_ticks;

/* A counter with 4 ticks per ns of CLOCK_MONOTONIC_RAW. */
static uint64_t fake_stop(void)
{
    return fake_ticks = 4 * clock_raw_ns();
}

/* Run the check for NS, and return the clock's error in ppm. */
static double checked_for(uint64_t ns, struct clock *clock, struct clock_check *check)
{
    clock_check_edge(check, clock, true);
    for (uint64_t until = clock_raw_ns() + ns; clock_raw_ns() < until;)
        ;
    clock_check_edge(check, clock, false);
    assert_true(check->last_raw_ns >= check->first_raw_ns + ns);
    return clock_check_ppm(check, clock);
}

TEST_CASE(edges_of_a_fake_clock)
{
    struct clock clock = {.start = fake_stop, .stop = fake_stop, .ns_per_tick = 0.25};
    struct clock_check check;

    clock_check_edge(&check, &clock, true);
    assert_int_equal(check.first_ticks, check.last_ticks);
    /* The tolerance allows an error of 100 us at each end of the 50 ms. */
    assert_near(checked_for(50000000, &clock, &check), 0, 4000);
}

static void check_real_clock(const char *name)
{
    struct clock_check check;
    struct clock clock;
    struct error error;
    int code = clock_open(&clock, name, &error);
    uint64_t readings = 0;

    if (code == -ENOTSUP)
        return;
    assert_int_equal(code, 0);
    for (int i = 0; i < 10000; i++) {
        uint64_t started = clock.start();

        assert_true(clock.stop() >= started);
    }
    assert_all((clock.ns_per_tick > 0), (clock.cost_ns > 0 && clock.cost_ns < 100000));
    for (size_t i = 0; i < CLOCK_COST_LOG2; i++)
        readings += clock.cost_log2[i];
    assert_int_equal(readings, 20000); /* the cost is estimated from them */
    assert_near(checked_for(20000000, &clock, &check), 0, 5000);
}

TEST_CASE(real_clocks)
{
    check_real_clock("tsc");
    check_real_clock("monotonic");
    check_real_clock("monotonic-raw");
}

TEST_CASE(best_clock)
{
    struct clock clock, counter;
    struct error error;
    const char *best = clock_open(&counter, "tsc", &error) == 0 ? "tsc" : "monotonic-raw";

    assert_all((clock_open(&clock, NULL, &error), 0), (clock.name, best));
}

TEST_CASE(unknown_clock)
{
    struct clock clock;
    struct error error;

    assert_all((clock_open(&clock, "sundial", &error), -EINVAL), (error.kind, ERROR_USAGE));
}

/* The check also compares the clocks between begin and end, and ignores readings that took long. */
static uint64_t jumped_by;

static uint64_t jumping_clock(void)
{
    return clock_raw_ns() + jumped_by;
}

TEST_CASE(a_jump_is_seen)
{
    struct clock clock = {.ns_per_tick = 1, .start = jumping_clock, .stop = jumping_clock};
    struct clock_check check;

    jumped_by = 0;
    clock_check_edge(&check, &clock, true);
    for (int i = 0; i < 100; i++)
        clock_check_step(&check, &clock);
    assert_true(check.largest_step_ns < 2000);
    jumped_by = 1000000;
    for (int i = 0; i < 1000; i++) /* repeated, because a reading may be interrupted */
        clock_check_step(&check, &clock);
    assert_near(check.largest_step_ns, 1e6, 2000);
}
