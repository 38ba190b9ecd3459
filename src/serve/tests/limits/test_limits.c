/* How long calls at given times wait for the limits that the server's threads share; and a lock
 * that threads hold one after another. */
#include "test.h"

#include "common/system_clock.h"
#include "serve/limits.h"

#define SECOND UINT64_C(1000000000)
#define MS     UINT64_C(1000000)

static const struct limits_use nothing, stable = {.is_stable = true};

static uint64_t read_bytes(struct limits *limits, uint32_t bytes, uint64_t now_ns)
{
    return limits_take(limits, &(struct limits_use){.bytes = bytes}, now_ns);
}

/* The limit is 10 calls per second, in bursts of up to 3 calls. */
TEST_CASE(calls_per_second)
{
    static const struct policy policy = {.call_rate = {10, 3}};
    static const struct {
        uint64_t at_ns, wait_ns;
    } calls[] = {
        {5 * SECOND, 0},
        {5 * SECOND, 0},
        {5 * SECOND, 0},
        {5 * SECOND, 100 * MS},
        {5 * SECOND, 200 * MS},
        {5 * SECOND + 50 * MS, 250 * MS},
        {5 * SECOND + 400 * MS, 0},        /* uses the token added after the delayed calls */
        {5 * SECOND + 399 * MS, 100 * MS}, /* time of a thread that read the clock earlier */
        {9 * SECOND, 0},                   /* after a pause there are three tokens, not 35 */
        {9 * SECOND, 0},
        {9 * SECOND, 0},
        {9 * SECOND, 100 * MS},
    };
    struct limits limits = {0};

    limits_open(&limits, &policy);
    assert_true(limits.delay_calls);
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        assert_near((double)limits_take(&limits, &nothing, calls[i].at_ns),
                    (double)calls[i].wait_ns, 1);
    limits_close(&limits);
}

/* The rate is exact over many calls, although the interval of calls is no whole number of ns. */
TEST_CASE(long_rate)
{
    static const struct policy policy = {.call_rate = {3000001, 1}};
    struct limits limits = {0};
    uint64_t wait_ns = 0;

    limits_open(&limits, &policy);
    for (int i = 0; i <= 3000001; i++)
        wait_ns = limits_take(&limits, &nothing, SECOND);
    assert_near((double)wait_ns, 1e9, 10);
    limits_close(&limits);
}

/* The limit is 1000 bytes per second, in bursts of up to 100. Calls without data don't wait. A call
 * with more data than the burst waits until there are tokens for all its data. */
TEST_CASE(bytes_per_second)
{
    static const struct policy policy = {.byte_rate = {1000, 100}};
    struct limits limits = {0};

    limits_open(&limits, &policy);
    assert_int_equal(read_bytes(&limits, 100, SECOND), 0);
    assert_near((double)read_bytes(&limits, 500, SECOND), 500e6, 1);
    assert_int_equal(read_bytes(&limits, 0, SECOND), 0);
    assert_near((double)read_bytes(&limits, 1, SECOND), 501e6, 1);
    assert_int_equal(read_bytes(&limits, 49, SECOND + 550 * MS), 0);
    limits_close(&limits);
}

/* A device with one slot and one with two: a call gets the slot that is free first. */
TEST_CASE(device)
{
    static const struct policy one = {.device = {5 * MS, 1}}, two = {.device = {5 * MS, 2}};
    struct limits limits = {0};

    limits_open(&limits, &one);
    assert_all((limits_take(&limits, &stable, SECOND), 5 * MS),
               (limits_take(&limits, &nothing, SECOND), 0),
               (limits_take(&limits, &stable, SECOND), 10 * MS),
               (limits_take(&limits, &stable, SECOND + MS), 14 * MS),
               (limits_take(&limits, &stable, 2 * SECOND), 5 * MS));
    limits_close(&limits);
    limits = (struct limits){0};
    limits_open(&limits, &two);
    assert_all((limits_take(&limits, &stable, SECOND), 5 * MS),
               (limits_take(&limits, &stable, SECOND + MS), 5 * MS),
               (limits_take(&limits, &stable, SECOND + 2 * MS), 8 * MS),
               (limits_take(&limits, &stable, SECOND + 2 * MS), 9 * MS));
    limits_close(&limits);
}

/* A call waits for several limits at the same time, not for one after another. */
TEST_CASE(together)
{
    static const struct policy policy = {
        .call_rate = {10, 1}, .byte_rate = {1000, 1000}, .device = {150 * MS, 1}};
    const struct limits_use use = {.bytes = 600, .is_stable = true};
    struct limits limits = {0};

    limits_open(&limits, &policy);
    assert_all((limits_take(&limits, &use, SECOND), 150 * MS), /* waits for the device */
               /* the device delays the call by 300 ms, the rate of bytes only by 200 ms */
               (limits_take(&limits, &use, SECOND), 300 * MS));
    assert_near((double)read_bytes(&limits, 400, SECOND), 600e6, 1);
    assert_near((double)read_bytes(&limits, 0, SECOND), 300e6, 1);
    limits_close(&limits);
}

TEST_CASE(none)
{
    static const struct policy policy = {.read_only = true};
    struct limits limits = {0};

    limits_open(&limits, &policy);
    assert_all((!limits.delay_calls), (limits_take(&limits, &stable, SECOND), 0));
    limits_close(&limits);
}

enum { THREADS = 4, SPINS = 25, SPIN_NS = 200 * 1000 };

static void *spin(void *limits)
{
    for (int i = 0; i < SPINS; i++)
        limits_spin_locked(limits, SPIN_NS);
    return NULL;
}

/* Times spent under the lock add up, however many processors there are. */
TEST_CASE(lock)
{
    static const struct policy policy = {.read_only = true};
    struct limits limits = {0};
    pthread_t threads[THREADS];
    const uint64_t started_ns = monotonic_ns();

    limits_open(&limits, &policy);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, spin, &limits), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_true(monotonic_ns() - started_ns >= UINT64_C(1) * THREADS * SPINS * SPIN_NS);
    limits_close(&limits);
}
