#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "common/ticker.h"
#include "test.h"

static sem_t ticks;

static void count(void *context)
{
    int *counted = context;

    ++*counted; /* written by one thread, and read after it has ended */
    sem_post(&ticks);
}

static void wait_for_tick(void)
{
    struct timespec then;

    clock_gettime(CLOCK_REALTIME, &then);
    then.tv_sec += 60;
    assert_int_equal(sem_timedwait(&ticks, &then), 0);
}

TEST_CASE(it_ticks_until_it_is_stopped)
{
    struct ticker ticker = {.runs = false};
    int counted = 0, then;

    sem_init(&ticks, 0, 0);
    assert_int_equal(ticker_start(&ticker, 1000, count, &counted), 0);
    for (int i = 0; i < 10; i++)
        wait_for_tick();
    ticker_stop(&ticker);
    then = counted;
    assert_true(then >= 10);
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    assert_int_equal(counted, then);
    sem_destroy(&ticks);
}

TEST_CASE(stopping_does_not_wait_for_the_next)
{
    struct ticker ticker;
    int counted = 0;

    assert_int_equal(ticker_start(&ticker, UINT64_C(86400000000000), count, &counted), 0);
    ticker_stop(&ticker); /* if this waited for the next tick, the test would take a day */
    ticker_stop(&ticker);
    assert_int_equal(counted, 0);
}
