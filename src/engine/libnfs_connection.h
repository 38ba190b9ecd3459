/* Engine libnfs's connections: what libnfs.c makes its calls over. */
#ifndef NFSBENCH_ENGINE_LIBNFS_CONNECTION_H
#define NFSBENCH_ENGINE_LIBNFS_CONNECTION_H

#include <poll.h>

#include "engine/libnfs_calls.h"
#include "engine/share.h"

enum { LIBNFS_LOOK_AROUND_MS = 50, LIBNFS_WORDS_SIZE = 128 };

/* Room for a call in flight. */
struct libnfs_slot {
    struct libnfs_call call; /* first: libnfs has its address */
    struct libnfs_connection *connection;
    size_t number;
    uint64_t submitted; /* ticks; just before libnfs was given it */
    uint64_t sent;      /* the same, of the last time */
    bool busy, resent;
};

struct libnfs_connection {
    struct libnfs_peer *peer;
    unsigned client;
    struct rpc_context *rpc;         /* NULL while it is lost */
    int state;                       /* of connecting: 1 when it is, -1 when it failed */
    bool filled;                     /* has had a reply in this block, or was lost */
    bool closing;                    /* what libnfs says of calls does not matter */
    const struct identity *identity; /* that libnfs was given */
    struct libnfs_slot *slots;
    unsigned *free_slots, free_count; /* a stack of indices */
    bool unanswered;                  /* libnfs has given up a call, */
    char words[LIBNFS_WORDS_SIZE];    /* for this reason */
    /* CLOCK_MONOTONIC_RAW: when it was first lost since the last reply (0: not), and when to try to
     * make it again. */
    uint64_t lost_since_ns, retry_at_ns;
};

struct libnfs_peer {
    const struct engine_config *config;
    struct libnfs_connection *connections;
    size_t count, in_flight, lost;
    struct pollfd *polled; /* as many as connections */
    struct libnfs_arguments *arguments;
    uint64_t next_look_ns;
    /* The block that is being made. */
    const struct libnfs_procedure *procedure;
    struct engine_work *work;
    struct engine_samples *samples;
    struct engine_tally *tally;
    struct error *error;
};

/* Connect the clients of thread THREAD. 0, or a negative errno with ERROR set;
 * libnfs_peer_release() is due in any case. */
int libnfs_peer_connect(struct libnfs_peer *peer, unsigned thread, struct error *error);
void libnfs_peer_release(struct libnfs_peer *peer);

/* Make CONNECTION (again), within TIMEOUT_NS. 0, or a negative errno with ERROR set. */
int libnfs_connection_make(struct libnfs_connection *connection, uint64_t timeout_ns,
                           struct error *error);

/* Close it; its calls stay where they are. */
void libnfs_connection_close(struct libnfs_connection *connection);

/* No call is in flight. */
void libnfs_connection_free_slots(struct libnfs_connection *connection);

/* Explain CODE, for which there is no remedy; WORDS are libnfs's. Returns it. */
int libnfs_connection_explain(const struct libnfs_connection *connection, int code,
                              const char *words, struct error *error);

/* Is it time to end, because the user or another thread's failure says so? */
bool libnfs_is_told_to_end(const struct libnfs_peer *peer);

/* The errors for that, and for want of memory. */
int libnfs_interrupted(struct error *error);
int libnfs_out_of_memory(struct error *error);

#endif
