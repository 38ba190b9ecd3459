/* A connection with many calls in flight. Each call has a slot. The slot's index is part of the
 * call's xid, so that replies find their calls in any order. If the network fails, the connection
 * retransmits and reconnects as engine/channel/channel.h does for one call at a time. These
 * functions wait only to connect, to renew a security context, or if asked to, because the caller
 * waits for many connections at once. */
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

/* Data of a call in an open loop. */
struct scheduled_call {
    struct queued_block *block; /* block that the call belongs to */
    uint64_t due;               /* ticks: scheduled send time */
    uint64_t held;              /* ticks for which the call was due but could not be sent */
    /* Time integral of the worker's calls in flight, in calls times ticks, from the worker's start
     * until this call was added. */
    uint64_t area;
};

/* A call in flight. A slot is no larger than one cache line, because each reply copies a slot. */
struct call_slot {
    const struct channel_message *message;
    const struct engine_place *place;       /* object and offset for MESSAGE; NULL: none */
    const struct scheduled_call *scheduled; /* due time and block; NULL in a closed loop */
    /* ticks: time just before the call's first send; 0: not sent yet */
    uint64_t submitted;
    uint64_t freed;  /* ticks: time of the reply to the slot's previous call; 0: none */
    size_t number;   /* call number, chosen by the caller */
    uint32_t xid;    /* xid of the slot's latest call */
    uint32_t turn;   /* number of this call in the series XIDS */
    uint16_t resent; /* number of times that the call was sent again */
    bool busy;
    bool lost;    /* true: connection or context was lost, so the call must be sent again */
    bool renewed; /* true: the call must be sent again only because its context expired */
};

struct connection {
    struct endpoint endpoint;
    /* If true, missing replies and lost connections are never errors: calls over UDP are sent again
     * after each timeout, lost connections are tried again, and the caller decides when to stop. */
    bool patient;
    struct channel_options options;
    const struct clock *clock;
    struct load_watched watched;
    int fd; /* socket; -1: the lost connection is not restored yet */
    struct transmit_buffer transmit_buffer;
    struct receive_buffer receive_buffer;
    struct call_slot *slots;
    struct scheduled_call *scheduled; /* array, indexed by slot */
    uint32_t *free_slots;             /* ring of the free slots' indices */
    unsigned free_first;              /* position in FREE_SLOTS of the slot to use next */
    uint32_t *fresh;                  /* indices of slots used since the last send */
    unsigned depth, free_count, fresh_count, index_bits;
    struct xid_series xids; /* series for the bits of an xid above the slot's index */
    unsigned resend_next;   /* lost calls are in slots from this index on; DEPTH: none */
    /* On CLOCK_MONOTONIC_RAW. LOST_SINCE_NS: time of the first loss since the last reply (0: none).
     * RETRY_AT_NS: time of the next attempt to restore the connection. */
    uint64_t lost_since_ns, retry_at_ns;
    int failure; /* negative errno of the last attempt to restore the connection */
    /* Turn-around. TURN_TICKS: total ticks from each reply to the next call of its slot;
     * TURN_CALLS: number of these calls. Slots freed before TURNS_SINCE (ticks) are not counted. */
    uint64_t turns_since, turn_ticks, turn_calls;
    int low_water; /* bytes that must have arrived before a waiting receive ends */
    struct channel_counts counts;
    /* Protection of calls: */
    struct gss_client *security;  /* security context; NULL: calls are not protected */
    struct gss_sealed *sealed;    /* array, indexed by slot */
    struct channel_message plain; /* buffer for a call before it is protected */
    size_t plain_room;
    int security_failure; /* negative errno of a failure to protect a call; 0: none */
    struct error security_error;
    struct tls_session tls;
};

/* Connect, with slots for DEPTH calls in flight (1 to CONNECTION_DEPTH_MAXIMUM). NUMBER identifies
 * the connection to OPTIONS' observer. OPTIONS' deadline limits only connecting. Returns 0, or a
 * negative errno with ERROR set. */
int connection_open(struct connection *connection, const struct endpoint *endpoint,
                    const struct channel_options *options, unsigned number, unsigned depth,
                    const struct clock *clock, struct error *error);
void connection_close(struct connection *connection);

/* Protect the calls with SECURITY, which must outlive the connection. Only the connection's thread
 * may use SECURITY. Returns 0 or -ENOMEM. */
int connection_protect(struct connection *connection, struct gss_client *security);

static inline unsigned connection_in_flight(const struct connection *connection)
{
    return connection->depth - connection->free_count;
}

/* Return whether the server's window of sequence numbers has room for one more call. Connections
 * with the same security context share the window. */
static inline bool connection_has_number(const struct connection *connection)
{
    return !connection->security || connection->security->type->has_number(connection->security);
}

/* Return whether a call can be added: there are a free slot, room in the transmit buffer, and room
 * in the server's window. */
static inline bool connection_has_room(const struct connection *connection)
{
    return connection->free_count > 0 && transmit_buffer_has_room(&connection->transmit_buffer) &&
           connection_has_number(connection);
}

/* Return whether calls must be sent again as soon as there is room. */
static inline bool connection_must_resend(const struct connection *connection)
{
    return connection->resend_next < connection->depth;
}

/* Return the send time of the oldest call in flight, in ticks; 0: no call in flight was sent. */
uint64_t connection_oldest(const struct connection *connection);

/* Add a call, which the next connection_send() sends as MESSAGE or, if PLACE is not NULL, as
 * MESSAGE with PLACE. MESSAGE itself is not changed. NUMBER identifies the call to the caller.
 * connection_has_room() must be true. MESSAGE and PLACE must stay valid until the call is answered.
 * SCHEDULED is copied (NULL: closed loop). */
void connection_put(struct connection *connection, const struct channel_message *message,
                    const struct engine_place *place, size_t number,
                    const struct scheduled_call *scheduled);

/* Send the calls that were added, and retransmit lost calls as far as the server's window allows
 * (connection_has_number()). Returns 0, -EAGAIN if some calls must wait until the socket takes
 * more, or another negative errno, for example if the connection is lost, the host is unreachable,
 * or calls can't be protected. */
int connection_send(struct connection *connection);

/* Receive available bytes of replies, for connection_take(). If WAIT is true, wait at most 50 ms
 * until some arrive. Returns as receive_buffer_receive() does. */
int connection_receive(struct connection *connection, bool wait);

/* Make a waiting receive and epoll wait until BYTES bytes have arrived (only TCP without TLS).
 * After connecting, one byte is enough. A receive that does not wait takes all available bytes. */
void connection_set_low_water(struct connection *connection, size_t bytes);

struct connection_reply {
    struct receive_buffer_message message;
    struct call_slot call; /* copy of the call's slot, made before the slot was freed */
    size_t came;           /* length of the message as received; Kerberos may shorten MESSAGE */
};

/* Store in REPLIES all received replies to calls in flight, and their number in *COUNT. REPLIES
 * must have room for the connection's depth. Free the slots of these calls. NOW is the time of
 * arrival in ticks. Returns 0, -EMSGSIZE if a message over TCP is longer than allowed, or another
 * negative errno if a protected reply is not valid. */
int connection_take(struct connection *connection, uint64_t now, struct connection_reply *replies,
                    size_t *count);

/* Report REPLY to the observer, if there is one. STATUS is the result of checking the reply
 * (engine_verify_reply()). */
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

/* Close the connection, and mark it as lost. Once it is restored, its calls are sent again. */
void connection_lose(struct connection *connection);

/* Try to restore the connection if the time of the next attempt has come, and wait for the result.
 * Returns 0 if it is restored (FD is not -1) or the caller must try again later. Returns a negative
 * errno with ERROR set if TLS is refused, or if the connection was lost for longer than the timeout
 * and is not PATIENT. The option UNENDING does not prevent this error. */
int connection_restore(struct connection *connection, struct error *error);

/* Restore a lost connection with the socket FD, which the caller has just connected to its endpoint
 * (endpoint_complete()). The connection then owns FD. Returns 0, or a negative errno if TLS can't
 * begin: FD is then closed and the connection still lost. */
int connection_adopt(struct connection *connection, int fd);

/* UDP: add call NUMBER to the transmit buffer again, if it is in flight and there is room. */
void connection_repeat(struct connection *connection, size_t number);

/* Handle calls that have waited too long for their replies. Over TCP, a late call is an error. Over
 * UDP, it is added to the transmit buffer again; each wait is twice as long as the previous one,
 * and after the options' number of retransmissions, a late call is an error. A patient or unending
 * connection is different: all waits are equal, and no late call is an error. Over TCP, an unending
 * connection is then marked as lost; a connection that is only patient goes on waiting. Returns 0,
 * or -ETIMEDOUT with ERROR set. */
int connection_check_timeouts(struct connection *connection, struct error *error);

/* Give up all calls in flight. Over UDP, late replies to them count as unmatched; a TCP connection
 * is closed and marked as lost. */
void connection_abandon(struct connection *connection);

/* Set ERROR for CODE, the negative errno that ends the use of CONNECTION. Returns CODE. */
int connection_describe(const struct connection *connection, int code, struct error *error);
