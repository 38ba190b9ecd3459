/* The connections of engine libnfs. libnfs.c makes the calls. */
#pragma once

#include <poll.h>

#include "engine/channel/xid.h"
#include "engine/libnfs/libnfs_calls.h"
#include "engine/library/guard.h"
#include "engine/library/watchdog.h"
#include "engine/worker.h"

enum { LIBNFS_LOOK_AROUND_MS = 50, LIBNFS_WORDS_SIZE = 128 };

struct libnfs_slot {
    struct libnfs_call call; /* must be first, because callbacks cast its address */
    struct libnfs_connection *connection;
    size_t number;
    uint32_t xid;
    uint64_t submitted; /* ticks: time just before the call was first given to libnfs */
    uint64_t sent;      /* ticks: time just before the call was last given to libnfs */
    bool busy, resent;
};

struct libnfs_connection {
    struct libnfs_peer *peer;
    unsigned client;
    struct rpc_context *rpc;         /* libnfs's connection; NULL: it is lost */
    int state;                       /* state of RPC: 1: connected; 0: connecting; -1: failed */
    bool filled;                     /* true: has had a reply in this block, or was lost */
    bool closing;                    /* true: ignore what libnfs reports about calls */
    const struct identity *identity; /* identity in libnfs's credential */
    struct watchdog_watch watch;
    struct guard guard;
    struct xid_series xids;
    uint32_t turn; /* number of the latest call in the series XIDS */
    struct libnfs_slot *slots;
    unsigned *free_slots, free_count; /* stack of the free slots' indices */
    bool unanswered;                  /* true: a call got no result that can be used */
    char words[LIBNFS_WORDS_SIZE];    /* why a call has no result, or why RPC was lost */
    /* On CLOCK_MONOTONIC_RAW. LOST_SINCE_NS: time of the first loss since the last reply (0: none).
     * RETRY_AT_NS: time of the next attempt to restore the connection. */
    uint64_t lost_since_ns, retry_at_ns;
};

struct libnfs_peer {
    const struct engine_config *config;
    struct libnfs_connection *connections;
    size_t count, in_flight, lost;
    /* In ticks: time of the latest reply, or the time when calls began while no call was in flight,
     * whichever is later. */
    uint64_t answered_at;
    struct pollfd *polled; /* array for poll(), indexed by connection */
    struct libnfs_arguments *arguments;
    /* Copy of the message PLACED_OF. The place of each call is written into this copy. */
    uint8_t *placed;
    size_t placed_size;
    const struct channel_message *placed_of;
    uint64_t next_look_ns;
    /* The current block. */
    const struct libnfs_procedure *procedure;
    struct engine_work *work;
    struct engine_samples *samples;
    struct engine_tally *tally;
    struct error *error;
};

/* Connect the clients of thread THREAD. Returns 0, or a negative errno with ERROR set. Call
 * libnfs_peer_release(), which frees PEER, in both cases. */
int libnfs_peer_connect(struct libnfs_peer *peer, unsigned thread, struct error *error);
void libnfs_peer_release(struct libnfs_peer *peer);

/* Make or restore CONNECTION within TIMEOUT_NS. Returns 0, or a negative errno with ERROR set and
 * CONNECTION closed. */
int libnfs_connection_make(struct libnfs_connection *connection, uint64_t timeout_ns,
                           struct error *error);

/* Close CONNECTION. Its calls keep their slots, so that they can be made again. */
void libnfs_connection_close(struct libnfs_connection *connection);

/* Free all slots of CONNECTION, so that no call is in flight. */
void libnfs_connection_free_slots(struct libnfs_connection *connection);

/* Set ERROR for CODE, the negative errno that ends the use of CONNECTION. WORDS is libnfs's
 * message; unused for -ETIMEDOUT and -EMSGSIZE. Returns CODE. */
int libnfs_connection_describe(const struct libnfs_connection *connection, int code,
                               const char *words, struct error *error);

/* Return whether to stop, because the user asked for it or another thread failed. */
bool libnfs_must_stop(const struct libnfs_peer *peer);

/* Set ERROR to "interrupted" or "out of memory". Each returns the error's code. */
int libnfs_interrupted(struct error *error);
int libnfs_out_of_memory(struct error *error);
