/* A connection with many calls in flight. Each call has a slot, whose index is part of its xid, so
 * that replies find their calls in whatever order they come. When the network fails it does what a
 * client should, as engine/channel/channel.h does for one call at a time; but it never waits, as
 * its caller waits for many connections at once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "engine/channel/channel.h"
#include "engine/channel/endpoint.h"
#include "engine/channel/tls_client.h"
#include "engine/channel/xid.h"
#include "engine/load_watch.h"
#include "engine/wire/receive_buffer.h"
#include "engine/wire/transmit_buffer.h"

enum { CONNECTION_DEPTH_MAXIMUM = 65536 };

/* What an open loop knows of a call. */
struct scheduled_call {
    struct queued_block *block; /* that the call belongs to */
    uint64_t due;               /* ticks; when the call was to be sent */
    uint64_t held;              /* ticks; for how long after DUE the call could not be sent */
    uint64_t area;              /* calls in flight times ticks, over its worker's run, when the call
                                 * was added */
};

/* A call in flight. A slot takes no more than one line of the cache, as each reply copies one. */
struct call_slot {
    const struct channel_message *message;
    const struct engine_place *place;       /* that is written into it; NULL: none is */
    const struct scheduled_call *scheduled; /* NULL: in a closed loop */
    uint64_t submitted; /* ticks; just before the system call that took it; 0: it is yet to come */
    uint64_t freed;     /* ticks; when the reply to the slot's call before it came; 0: none */
    size_t number;      /* the caller's */
    uint32_t xid;       /* of the slot's latest call */
    uint32_t turn;      /* the number of that call among the slot's calls; see xid_for() */
    uint16_t resent;    /* how often */
    bool busy;
    bool lost;    /* lost with the connection; to be sent again */
    bool renewed; /* it was refused together with its security context; likewise */
};

struct connection {
    struct endpoint endpoint;
    /* No missing reply and no lost connection is an error, however long it lasts: calls over UDP
     * are sent again after each timeout, connections are tried again, and the caller decides when
     * to give up. */
    bool patient;
    struct channel_options options;
    const struct clock *clock;
    struct load_watched watched;
    int fd; /* -1 while a lost connection is not yet restored */
    struct transmit_buffer transmit_buffer;
    struct receive_buffer receive_buffer;
    struct call_slot *slots;
    struct scheduled_call *scheduled; /* by slot */
    uint32_t *free_slots;             /* a ring of indices */
    unsigned free_first;              /* where the ring begins */
    uint32_t *fresh; /* indices of the slots that were filled since the last send */
    unsigned depth, free_count, fresh_count, index_bits;
    struct xid_series xids; /* the bits of xids above those of the slot's index */
    unsigned resend_next;   /* slots from this index on may hold lost calls; DEPTH: none does */
    /* CLOCK_MONOTONIC_RAW: when the connection was first lost since the last reply (0: it was not),
     * and when to try to restore it. */
    uint64_t lost_since_ns, retry_at_ns;
    int failure; /* why the last attempt to restore it failed: a negative errno */
    /* The turn-around: from when a reply arrived to when the next call of its slot was sent, in
     * ticks; of slots that were freed since TURNS_SINCE. */
    uint64_t turns_since, turn_ticks, turn_calls;
    int low_water; /* bytes that must have arrived before a waiting receive ends */
    struct channel_counts counts;
    /* Where calls are protected: */
    struct gss_client *security;  /* NULL: they are not */
    struct gss_sealed *sealed;    /* by slot */
    struct channel_message plain; /* room for a call as it is before */
    size_t plain_room;
    int security_failure; /* what keeps calls from being protected; 0: nothing */
    struct error security_error;
    struct tls_session tls;
};

/* Connect, with room for DEPTH calls in flight (1 to CONNECTION_DEPTH_MAXIMUM). NUMBER names the
 * connection to the observer in OPTIONS. Returns 0, or a negative errno with ERROR set. */
int connection_open(struct connection *connection, const struct endpoint *endpoint,
                    const struct channel_options *options, unsigned number, unsigned depth,
                    const struct clock *clock, struct error *error);
void connection_close(struct connection *connection);

/* Protect the calls by SECURITY, which outlives the connection, and which only its thread uses. 0
 * or -ENOMEM. */
int connection_protect(struct connection *connection, struct gss_client *security);

static inline unsigned connection_in_flight(const struct connection *connection)
{
    return connection->depth - connection->free_count;
}

/* Has the server's window, which connections of the same security context share, room for one more
 * call? */
static inline bool connection_has_number(const struct connection *connection)
{
    return !connection->security || connection->security->type->has_number(connection->security);
}

/* Can a call be added? Not when all slots are taken, when earlier calls must be sent first, or when
 * others must be answered first. */
static inline bool connection_has_room(const struct connection *connection)
{
    return connection->free_count > 0 && transmit_buffer_has_room(&connection->transmit_buffer) &&
           connection_has_number(connection);
}

/* Are there calls that must be sent again as soon as there is room? */
static inline bool connection_must_resend(const struct connection *connection)
{
    return connection->resend_next < connection->depth;
}

/* When the oldest of the calls in flight was sent, ticks; 0: none was. */
uint64_t connection_oldest(const struct connection *connection);

/* Add a call, to be sent by the next connection_send(): MESSAGE with PLACE written into it (NULL:
 * as it is). There must be room for it. Both must stay valid until the call is answered. SCHEDULED
 * is copied; NULL: in a closed loop. */
void connection_put(struct connection *connection, const struct channel_message *message,
                    const struct engine_place *place, size_t number,
                    const struct scheduled_call *scheduled);

/* Send the calls that were added, and those that must be sent again as far as they have numbers
 * (connection_has_number()). Returns 0; -EAGAIN when some must wait until the socket takes more;
 * else an error that means that the connection is lost, or the host is gone. */
int connection_send(struct connection *connection);

/* Receive replies. Returns what receive_buffer_receive() returns. */
int connection_receive(struct connection *connection, bool wait);

/* Make a waiting receive, and epoll, wait until BYTES bytes have arrived (TCP without TLS only).
 * The value is 1 at first and after a reconnection. A receive that does not wait takes what is
 * there. */
void connection_set_low_water(struct connection *connection, size_t bytes);

struct connection_reply {
    struct receive_buffer_message message;
    struct call_slot call; /* as it was in flight */
    size_t came;           /* the message's length as it came, before it was unwrapped */
};

/* Take all replies that were received and belong to calls, which then are no longer in flight; they
 * arrived at NOW, ticks. REPLIES has room for the connection's depth, and *COUNT is set to their
 * number. Returns 0, or a negative errno when bytes that no RPC server sends come after them. */
int connection_take(struct connection *connection, uint64_t now, struct connection_reply *replies,
                    size_t *count);

/* The caller has checked a reply, with STATUS (see engine_check_reply()): tell the observer, if
 * there is one. */
static inline void connection_note_checked(const struct connection *connection,
                                           const struct connection_reply *reply, int status)
{
    const struct receive_buffer_message came = {reply->message.bytes, reply->came};
    const struct load_watch *watch = connection->watched.watch;

    if (watch)
        watch->answered(watch->context, connection->watched.connection, &reply->call,
                        came.length + RPC_RECORD_MARK_SIZE,
                        receive_buffer_after(&connection->receive_buffer, &came), status);
}

/* Mark the connection as lost. Its calls stay, and are sent again when it is restored. */
void connection_lose(struct connection *connection);

/* Try to restore the connection if it is time to. Returns 0 when it is restored (and FD is not -1)
 * or when the next attempt comes later; a negative errno with ERROR set when there has been no
 * reply for longer than the timeout. */
int connection_restore(struct connection *connection, struct error *error);

/* Restore a lost connection with FD, a socket that the caller has just connected to its endpoint
 * (endpoint_complete()) and that then belongs to the connection. Returns 0; or a negative errno, if
 * TLS can't begin: FD is then closed and the connection still lost. */
int connection_adopt(struct connection *connection, int fd);

/* Over UDP: send the call NUMBER again, if it is in flight. */
void connection_repeat(struct connection *connection, size_t number);

/* Handle calls that have waited too long: over UDP they are sent again, and each time the wait
 * doubles. Returns 0, or -ETIMEDOUT with ERROR set. Where the options are unending, the wait stays
 * the same, and over TCP the connection is lost instead. */
int connection_check_timeouts(struct connection *connection, struct error *error);

/* Give up all calls in flight. Replies that still come for them count as unmatched. */
void connection_abandon(struct connection *connection);

/* Set ERROR for CODE, which nothing can be done about. Returns CODE. */
int connection_describe(const struct connection *connection, int code, struct error *error);
