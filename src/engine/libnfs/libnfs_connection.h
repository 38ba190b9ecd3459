/* The connections of engine libnfs, over which libnfs.c makes its calls. */
#pragma once

#include <poll.h>

#include "engine/channel/xid.h"
#include "engine/libnfs/libnfs_calls.h"
#include "engine/library/guard.h"
#include "engine/library/watchdog.h"
#include "engine/worker.h"

enum { LIBNFS_LOOK_AROUND_MS = 50, LIBNFS_WORDS_SIZE = 128 };

/* A slot for a call in flight. */
struct libnfs_slot {
    struct libnfs_call call; /* first: libnfs keeps its address */
    struct libnfs_connection *connection;
    size_t number;
    uint32_t xid;
    uint64_t submitted; /* ticks; just before libnfs was given the call */
    uint64_t sent;      /* the same, when it was last sent */
    bool busy, resent;
};

struct libnfs_connection {
    struct libnfs_peer *peer;
    unsigned client;
    struct rpc_context *rpc;         /* NULL while the connection is lost */
    int state;                       /* of connecting: 1 once connected, -1 if it failed */
    bool filled;                     /* has had a reply in this block, or was lost */
    bool closing;                    /* ignore what libnfs reports of calls */
    const struct identity *identity; /* the identity that libnfs was given */
    struct watchdog_watch watch;
    struct guard guard;
    struct xid_series xids;
    uint32_t turn; /* the number of the latest call among XIDS */
    struct libnfs_slot *slots;
    unsigned *free_slots, free_count; /* a stack of indices */
    bool unanswered;                  /* libnfs has given up a call */
    char words[LIBNFS_WORDS_SIZE];    /* its reason for that */
    /* CLOCK_MONOTONIC_RAW: when the connection was first lost since the last reply (0: it was not),
     * and when to try to restore it. */
    uint64_t lost_since_ns, retry_at_ns;
};

struct libnfs_peer {
    const struct engine_config *config;
    struct libnfs_connection *connections;
    size_t count, in_flight, lost;
    uint64_t
        answered_at; /* ticks: the last time at which a call was answered or none was in flight */
    struct pollfd *polled; /* one for each connection */
    struct libnfs_arguments *arguments;
    /* A message of one's own, into which the places of calls are written; and what it is a copy of.
     */
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

/* Connect the clients of thread THREAD. Returns 0, or a negative errno with ERROR set. The caller
 * must call libnfs_peer_release() in both cases. */
int libnfs_peer_connect(struct libnfs_peer *peer, unsigned thread, struct error *error);
void libnfs_peer_release(struct libnfs_peer *peer);

/* Make or restore CONNECTION, within TIMEOUT_NS. Returns 0, or a negative errno with ERROR set. */
int libnfs_connection_make(struct libnfs_connection *connection, uint64_t timeout_ns,
                           struct error *error);

/* Close it; its calls keep their slots. */
void libnfs_connection_close(struct libnfs_connection *connection);

/* Free all slots: no call is in flight. */
void libnfs_connection_free_slots(struct libnfs_connection *connection);

/* Set ERROR for CODE, which nothing can be done about; WORDS are libnfs's message. Returns CODE. */
int libnfs_connection_describe(const struct libnfs_connection *connection, int code,
                               const char *words, struct error *error);

/* Should it stop, because the user asked for it or another thread failed? */
bool libnfs_is_told_to_end(const struct libnfs_peer *peer);

/* The errors for being interrupted, and for lack of memory. */
int libnfs_interrupted(struct error *error);
int libnfs_out_of_memory(struct error *error);
