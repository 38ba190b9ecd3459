/* Many calls at once over several connections, by engine wire: for throughput, and to keep a server
 * busy beside what an experiment measures. */
#pragma once

#include <pthread.h>
#include <signal.h>

#include "characterize/lab.h"
#include "engine/engine.h"

/* The calls of a block: MESSAGES in turn. */
struct crowd_calls {
    const char *op;
    struct channel_message *messages;
    size_t variants;
};

struct crowd {
    struct lab *lab;
    struct engine *engine;
    struct block block; /* of the calls so far; its ticks have room for CAPACITY */
    size_t capacity;
    /* In the background: */
    struct crowd_calls calls;
    pthread_t thread;
    unsigned depth;
    volatile sig_atomic_t stop;
    atomic_bool is_busy; /* the first calls have been answered, or failed */
    uint64_t answered;
    int code;
    struct error error;
};

/* Encode COUNT calls of OP, whose arguments FILL makes; they last until the experiment's end, as
 * CALLS must. */
void crowd_calls_make(struct crowd_calls *calls, struct lab *lab, const char *op, size_t count,
                      void (*fill)(void *context, size_t number, union nfs_arguments *arguments),
                      void *context);

/* Connect until the experiment's end, for DEPTH calls in flight on each of CONNECTIONS. */
void crowd_open(struct crowd *crowd, struct lab *lab, unsigned connections, unsigned depth);

/* Make COUNT of CALLS, which fails with -EIO where any is answered by an error. Returns how long
 * that took, ticks. */
uint64_t crowd_run(struct crowd *crowd, const struct crowd_calls *calls, size_t count);

/* Make CALLS over and over in a thread of its own, from before this returns until crowd_end(),
 * which must be called where it has begun them: it fails as they did. False: it has not. */
bool crowd_begin(struct crowd *crowd, struct lab *lab, unsigned depth,
                 const struct crowd_calls *calls);
void crowd_end(struct crowd *crowd);
