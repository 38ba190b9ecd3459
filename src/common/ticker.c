#include "common/ticker.h"

#include <errno.h>

#include "common/system_clock.h"
#include "common/thread.h"

/* Wait for the next tick. Returns false if the ticker is stopped before that. */
static bool wait_for_tick(struct ticker *ticker)
{
    const struct timespec then = monotonic_after(ticker->interval_ns);
    int code = 0;

    pthread_mutex_lock(&ticker->mutex);
    while (!ticker->ends && code == 0)
        code = pthread_cond_clockwait(&ticker->ending, &ticker->mutex, CLOCK_MONOTONIC, &then);
    pthread_mutex_unlock(&ticker->mutex);
    return code == ETIMEDOUT;
}

static void *run_ticker(void *argument)
{
    struct ticker *ticker = argument;

    while (wait_for_tick(ticker))
        ticker->tick(ticker->context);
    return NULL;
}

int ticker_start(struct ticker *ticker, uint64_t interval_ns, void (*tick)(void *context),
                 void *context)
{
    int code;

    *ticker = (struct ticker){.interval_ns = interval_ns, .tick = tick, .context = context};
    pthread_mutex_init(&ticker->mutex, NULL);
    pthread_cond_init(&ticker->ending, NULL);
    code = thread_start_without_signals(&ticker->thread, run_ticker, ticker);
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
