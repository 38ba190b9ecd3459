/* Many calls at once over several connections, by engine wire: for throughput, and to keep a server
 * busy beside what an experiment measures. */
#pragma once

#include <pthread.h>
#include <signal.h>

#include "character/lab.h"
#include "engine/engine.h"
#include "nfs/call.h"

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
 * CALLS must. Returns 0, or a negative errno with ERROR set. */
int crowd_calls_make(struct crowd_calls *calls, struct lab *lab, const char *op, size_t count,
                     void (*fill)(void *context, size_t number, union nfs_arguments *arguments),
                     void *context, struct error *error);

/* Connect until the experiment's end, for DEPTH calls in flight on each of CONNECTIONS. Returns 0,
 * or a negative errno with ERROR set. */
int crowd_open(struct crowd *crowd, struct lab *lab, unsigned connections, unsigned depth,
               struct error *error);

/* Make COUNT of CALLS. *TICKS is how long that took. Returns 0, or a negative errno with ERROR set:
 * -EIO where any was answered by an error. */
int crowd_run(struct crowd *crowd, const struct crowd_calls *calls, size_t count, uint64_t *ticks,
              struct error *error);

/* Make CALLS over and over in a thread of its own, from before this returns until crowd_end():
 * which returns 0 or the error that ended them, with ERROR set. */
int crowd_begin(struct crowd *crowd, struct lab *lab, unsigned depth,
                const struct crowd_calls *calls, struct error *error);
int crowd_end(struct crowd *crowd, struct error *error);
