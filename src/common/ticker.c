#include "common/ticker.h"

#include <errno.h>
#include <time.h>

#include "common/thread.h"

static struct timespec after(const struct timespec *timestamp, uint64_t ns)
{
    uint64_t sum = (uint64_t)timestamp->tv_nsec + ns;

    return (struct timespec){.tv_sec = timestamp->tv_sec + (time_t)(sum / 1000000000),
                             .tv_nsec = (long)(sum % 1000000000)};
}

/* Wait for the next tick; false if the ticker has been stopped. */
static bool wait_for_tick(struct ticker *ticker)
{
    struct timespec now, then;
    int code = 0;

    clock_gettime(CLOCK_MONOTONIC, &now);
    then = after(&now, ticker->interval_ns);
    pthread_mutex_lock(&ticker->mutex);
    while (!ticker->ends && code == 0)
        code = pthread_cond_timedwait(&ticker->ending, &ticker->mutex, &then);
    pthread_mutex_unlock(&ticker->mutex);
    return code == ETIMEDOUT;
}

static void *run(void *argument)
{
    struct ticker *ticker = argument;

    while (wait_for_tick(ticker))
        ticker->tick(ticker->context);
    return NULL;
}

int ticker_start(struct ticker *ticker, uint64_t interval_ns, void (*tick)(void *context),
                 void *context)
{
    pthread_condattr_t attributes;
    int code;

    *ticker = (struct ticker){.interval_ns = interval_ns, .tick = tick, .context = context};
    pthread_mutex_init(&ticker->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&ticker->ending, &attributes);
    pthread_condattr_destroy(&attributes);
    code = thread_start_without_signals(&ticker->thread, run, ticker);
    ticker->runs = code == 0;
    if (code) {
        pthread_cond_destroy(&ticker->ending);
        pthread_mutex_destroy(&ticker->mutex);
    }
    return code;
}

void ticker_stop(struct ticker *ticker)
{
    if (!ticker->runs)
        return;
    pthread_mutex_lock(&ticker->mutex);
    ticker->ends = true;
    pthread_cond_signal(&ticker->ending);
    pthread_mutex_unlock(&ticker->mutex);
    pthread_join(ticker->thread, NULL);
    pthread_cond_destroy(&ticker->ending);
    pthread_mutex_destroy(&ticker->mutex);
    ticker->runs = false;
}
