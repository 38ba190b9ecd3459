/* The service times that the server itself measures, and the known times that it spends. */
#include "test.h"

#include "serve/service_time.h"

TEST_CASE(trimmed_mean)
{
    struct service_time *time = calloc(1, sizeof *time);

    assert_all((time), (service_time_trimmed_mean(time), 0, 0));
    for (int i = 0; i < 80; i++)
        service_time_record(time, 50001 + 0.125 * i); /* one bucket, 256 ns wide */
    for (int i = 0; i < 10; i++) {
        service_time_record(time, 3);
        service_time_record(time, 1e9);
    }
    assert_near(service_time_trimmed_mean(time), 50001 + 0.125 * 39.5, 1e-6);
    assert_int_equal(time->histogram.count, 100);
    free(time);
}

/* If only some calls of a bucket are trimmed, the rest count with the bucket's mean. */
TEST_CASE(cut_through)
{
    struct service_time *time = calloc(1, sizeof *time);

    assert_non_null(time);
    for (int i = 0; i < 5; i++) {
        service_time_record(time, 10);
        service_time_record(time, 20);
    }
    assert_near(service_time_trimmed_mean(time), 15, 1e-9);
    free(time);
}

/* A clock with 2.5 ticks per ns, 22 ticks from one reading to the next, and 30 ticks of overhead
 * per spin. */
static const struct spin_clock ticking = {.ticks_per_ns = 2.5, .reading = 22, .overhead = 30};

/* Return the ticks from the first to the last reading of a spin that begins at STARTED. */
static uint64_t spun(uint64_t nanoseconds, uint64_t started)
{
    uint64_t wanted = spin_ticks_between(&ticking, nanoseconds, started), passed = 0;

    do
        passed += ticking.reading;
    while (passed < wanted);
    return passed;
}

/* The mean of many spins is the requested time, although each spin ends at a reading. */
TEST_CASE(spin_is_exact_in_the_mean)
{
    const uint64_t times[] = {spin_least_ns(&ticking), 50, 100, 107, 200, 2000, 10000};

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        double sum = 0;

        for (uint64_t started = 1000; started < 1000 + 10 * ticking.reading; started++)
            sum += (double)spun(times[i], started) + ticking.overhead;
        assert_near(sum / (10 * (double)ticking.reading) / ticking.ticks_per_ns, (double)times[i],
                    0.5);
    }
}

/* The shortest time is the overhead and the time between two readings. If less is requested, the
 * spin ends at its second reading, too. */
TEST_CASE(least_spin)
{
    assert_int_equal(spin_least_ns(&ticking), 21); /* 52 ticks */
    assert_int_equal(spin_ticks_between(&ticking, 1, 21), 0);
}

TEST_CASE(calibrated_spin)
{
    const struct spin_clock *clock = spin_calibrate();
    uint64_t started, least = spin_least_ns(clock);

    assert_true(clock->ticks_per_ns > 0 && clock->reading >= 1 && clock->overhead >= 0);
    started = spin_ticks();
    spin_for(least + 100000);
    assert_true(spin_ticks_ns(spin_ticks() - started) > 90000);
}
