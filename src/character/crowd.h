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
    double ticks;        /* the sum over calls that were answered, */
    uint64_t answered;
    int code;
    struct error error;
};

/* Encode COUNT calls of OP, whose arguments FILL makes. Returns 0, or a negative errno with ERROR
 * set; release them by crowd_calls_free() in either case. */
int crowd_calls_make(struct crowd_calls *calls, const struct lab *lab, const char *op, size_t count,
                     void (*fill)(const void *context, size_t number,
                                  union nfs_arguments *arguments),
                     const void *context, struct error *error);
void crowd_calls_free(struct crowd_calls *calls);

/* Connect, for DEPTH calls in flight on each of CONNECTIONS. A zeroed CROWD may be closed. Returns
 * 0, or a negative errno with ERROR set. */
int crowd_open(struct crowd *crowd, struct lab *lab, unsigned connections, unsigned depth,
               struct error *error);
void crowd_close(struct crowd *crowd);

/* Make COUNT of CALLS. *TICKS is how long that took. Returns 0, or a negative errno with ERROR set:
 * -EIO where any was answered by an error. */
int crowd_run(struct crowd *crowd, const struct crowd_calls *calls, size_t count, uint64_t *ticks,
              struct error *error);

/* Make CALLS over and over in a thread of its own, from before this returns until crowd_end():
 * which returns 0 or the error that ended them, with ERROR set, and sets *US to what a call took in
 * the mean (NAN: none was answered). */
int crowd_begin(struct crowd *crowd, struct lab *lab, unsigned depth,
                const struct crowd_calls *calls, struct error *error);
int crowd_end(struct crowd *crowd, double *us, struct error *error);
