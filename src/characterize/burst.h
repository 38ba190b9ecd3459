/* Burst: many calls in flight over one or several connections, by engine wire. Experiments measure
 * throughput with bursts, or keep the server busy in the background. */
#pragma once

#include <pthread.h>
#include <signal.h>

#include "characterize/testbed.h"
#include "engine/engine.h"

/* VARIANTS encoded calls of OP, which a block uses in turn. */
struct encoded_calls {
    const char *op;
    struct channel_message *messages;
    size_t variants;
};

struct burst {
    struct testbed *testbed;
    struct engine *engine;
    struct block block; /* the latest calls; BLOCK.TICKS has room for CAPACITY */
    size_t capacity;
    /* The members below are for calls in the background. */
    struct encoded_calls calls;
    pthread_t thread;
    unsigned depth;
    volatile sig_atomic_t stop;
    atomic_bool is_busy; /* true once the first calls have been answered or have failed */
    uint64_t answered;
    int code;
    struct error error;
};

/* Encode COUNT calls of OP into CALLS. FILL, called with CONTEXT, sets the arguments of call
 * NUMBER. CALLS must exist until the experiment ends, which frees the messages. */
void burst_encode(struct encoded_calls *calls, struct testbed *testbed, const char *op,
                  size_t count,
                  void (*fill)(void *context, size_t number, union nfs_arguments *arguments),
                  void *context);

/* Open CONNECTIONS connections with a queue depth of DEPTH each, until the experiment ends. BURST
 * must exist until then. */
void burst_open(struct burst *burst, struct testbed *testbed, unsigned connections, unsigned depth);

/* Make COUNT calls. If any reply has an error, the experiment fails with -EIO (NFS) or -EPROTO
 * (RPC). Returns the time from the first call to the last reply, in ticks of the testbed's clock.
 * Returns 0 if no more calls may be made. */
uint64_t burst_run(struct burst *burst, const struct encoded_calls *calls, size_t count);

/* Make CALLS again and again in a thread, with a queue depth of DEPTH, until burst_stop(). Returns
 * true once the first calls have been answered or have failed, or a limit of the experiment is
 * reached. If a call fails, burst_stop() sets TESTBED's failure. Returns false if the thread or its
 * connection can't be opened; then burst_stop() must not be called. */
bool burst_start(struct burst *burst, struct testbed *testbed, unsigned depth,
                 const struct encoded_calls *calls);
void burst_stop(struct burst *burst);
