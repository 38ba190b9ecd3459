/* A connection with many calls in flight: each has a slot, whose index is part of its xid, so that
 * replies find their calls in whatever order they come. It does what a client should when the
 * network fails, as engine/channel.h does for one call at a time, but never waits: the caller does,
 * and for many connections at once. */
#ifndef NFSBENCH_ENGINE_CONNECTION_H
#define NFSBENCH_ENGINE_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "engine/channel.h"
#include "engine/endpoint.h"
#include "engine/inbox.h"
#include "engine/outbox.h"

enum { CONNECTION_DEPTH_MAXIMUM = 65536 };

/* A call in flight. */
struct call_slot {
    const struct channel_message *message;
    uint64_t intended;  /* ticks; when it was to be sent */
    uint64_t held;      /* ticks; for how long it could not be, then */
    uint64_t submitted; /* ticks; just before the system call that took it */
    size_t number;      /* the caller's */
    uint32_t xid;
    uint8_t resent; /* how often */
    bool busy;
    bool lost; /* with the connection: it is to be sent again */
};

struct connection {
    struct endpoint endpoint;
    struct channel_options options;
    const struct clock *clock;
    int fd; /* -1 while a lost connection has not been made again */
    struct outbox outbox;
    struct inbox inbox;
    struct call_slot *slots;
    uint32_t *free_slots; /* a stack of indices */
    uint32_t *fresh;      /* indices of the slots that were filled since the last send */
    unsigned depth, free_count, fresh_count, index_bits;
    unsigned resend_next; /* slots from this index on may hold lost calls; DEPTH: none does */
    uint32_t sequence;
    /* CLOCK_MONOTONIC_RAW: when it was first lost since the last reply (0: not), and when to try to
     * make it again. */
    uint64_t lost_since_ns, retry_at_ns;
    int low_water; /* bytes that have to be there before a waiting receive ends */
    struct channel_counts counts;
};

/* Connect, for DEPTH calls in flight (1 to CONNECTION_DEPTH_MAXIMUM). 0, or a negative errno with
 * ERROR set. */
int connection_open(struct connection *connection, const struct endpoint *endpoint,
                    const struct channel_options *options, unsigned depth,
                    const struct clock *clock, struct error *error);
void connection_close(struct connection *connection);

static inline unsigned connection_in_flight(const struct connection *connection)
{
    return connection->depth - connection->free_count;
}

/* Can a call with a message of LENGTH bytes be put in? Not when all slots are taken, or what was
 * put in before must be sent first. */
static inline bool connection_has_room(const struct connection *connection, size_t length)
{
    return connection->free_count > 0 && outbox_has_room(&connection->outbox, length);
}

/* Put a call in, to be sent by the next connection_send(). There must be room. MESSAGE must stay
 * until it is answered. */
void connection_put(struct connection *connection, const struct channel_message *message,
                    size_t number, uint64_t intended, uint64_t held);

/* Send what was put in. 0; -EAGAIN when some of it must wait until the socket takes more; else the
 * connection is lost, or the host gone. */
int connection_send(struct connection *connection);

/* Receive replies, as inbox_receive(). */
int connection_receive(struct connection *connection, bool wait);

/* Have a waiting receive, and epoll, wait until BYTES bytes are there (TCP only); 1 at first, and
 * after the connection was made again. A receive that does not wait takes what is there. */
void connection_set_low_water(struct connection *connection, size_t bytes);

struct connection_reply {
    struct inbox_message message;
    struct call_slot call; /* as it was */
};

/* The next reply that belongs to a call, which then is no longer in flight. 1; 0 when there is
 * none; a negative errno for what no RPC server sends. */
int connection_next(struct connection *connection, struct connection_reply *reply);

/* The connection is lost: its calls stay, and are sent again when it has been made again. */
void connection_lose(struct connection *connection);

/* Try to make it again, where it is time to: 0 when it is made (and FD is not -1) or is to be tried
 * later; a negative errno with ERROR set when there has been no reply for longer than the timeout.
 */
int connection_restore(struct connection *connection, struct error *error);

/* Deal with calls that have waited for too long: over UDP they are sent again, each time with twice
 * the patience. 0, or -ETIMEDOUT with ERROR set. */
int connection_check_timeouts(struct connection *connection, struct error *error);

/* All calls in flight are given up: what comes for them later is a stray. */
void connection_abandon(struct connection *connection);

/* Explain CODE, for which there is no remedy. Returns it. */
int connection_explain(const struct connection *connection, int code, struct error *error);

#endif
