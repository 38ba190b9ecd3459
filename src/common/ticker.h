/* A ticker calls a function at intervals in a separate thread. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct ticker {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ending;
    bool runs; /* the thread runs; false in a zeroed structure */
    bool ends;
    uint64_t interval_ns;
    void (*tick)(void *context);
    void *context;
};

/* Call TICK in a thread that blocks signals, INTERVAL_NS from now and after the end of each call.
 * Returns 0 or a negative errno. */
int ticker_start(struct ticker *ticker, uint64_t interval_ns, void (*tick)(void *context),
                 void *context);

/* Stop TICKER, after waiting for a call in progress. Does nothing if TICKER is not running. */
void ticker_stop(struct ticker *ticker);
