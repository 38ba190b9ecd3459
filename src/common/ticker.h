/* Something that is done every so often, by a thread of its own, while others go about theirs. */
#ifndef NFSBENCH_COMMON_TICKER_H
#define NFSBENCH_COMMON_TICKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct ticker {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ending;
    bool runs; /* false in a zeroed one */
    bool ends;
    uint64_t interval_ns;
    void (*tick)(void *context);
    void *context;
};

/* Call TICK after each INTERVAL_NS, in a thread that no signal is delivered to. 0, or a negative
 * errno. */
int ticker_start(struct ticker *ticker, uint64_t interval_ns, void (*tick)(void *context),
                 void *context);

/* End it, when a call that is under way has returned. One that does not run stays so. */
void ticker_stop(struct ticker *ticker);

#endif
