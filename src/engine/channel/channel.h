/* A channel: one connection to one RPC service, over which calls are made one at a time. It sends a
 * message, waits for the reply with the same xid, and does what a client should when the network
 * fails: over UDP it sends again with the same xid, over TCP it connects again and sends again. It
 * counts what it did, and a call that needed any of this never counts as a latency. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/deadline.h"
#include "common/error.h"
#include "engine/channel/endpoint.h"
#include "engine/channel/gss_client.h"
#include "engine/load_watch.h"
#include "engine/patch.h"
#include "measure/clock.h"
#include "rpc/message.h"
#include "rpc/record.h"

struct tls_client;
struct tls_handshake;

/* Replies with bytes after the end of their result. */
struct channel_trailing {
    uint64_t replies;
    const char *procedure; /* the first that had any */
    bool refused;          /* they are errors, and not only counted */
};

struct channel_options {
    /* TCP: how long to wait for a reply, and how long to try to connect again when the connection
     * is lost. UDP: the first wait for a reply; each retransmission then waits twice as long. */
    uint64_t timeout_ns;
    struct deadline deadline; /* no wait goes past it (-ETIMEDOUT); a signal ends all (-EINTR) */
    unsigned retransmissions; /* UDP: how often a call is sent again; TCP does not use it */
    /* Connections with many calls in flight are never given up: a call without a reply is sent
     * again each TIMEOUT_NS, over TCP over a new connection, for as long as it takes. */
    bool unending;
    bool reset; /* channels end TCP connections by a reset, which leaves their ports free */
    bool spin;  /* poll the socket without sleeping */
    uint32_t receive_window;           /* TCP: in bytes; 0: the kernel chooses it */
    size_t reply_maximum;              /* bytes; a longer reply is an error */
    struct channel_trailing *trailing; /* where an rpc_client counts its own; NULL: nowhere */
    struct stalls *stalls;             /* where an rpc_client notes its own; NULL: nowhere */
    const struct load_watch *watch;    /* observes single calls; NULL: none does */
    struct gss_request security;       /* how calls are protected; flavor 0: not at all */
    bool verify_in_time;               /* TICKS include the verification of protected replies */
    struct tls_client *tls;            /* TCP: what connections are protected with; NULL: nothing */
    const struct load_watch *load_watch; /* of each thread, observe calls under load; NULL: none */
};

/* ENDPOINT with what OPTIONS say of connecting to it. */
static inline struct endpoint channel_endpoint(const struct endpoint *endpoint,
                                               const struct channel_options *options)
{
    struct endpoint asked = *endpoint;

    asked.timeout_ns = options->timeout_ns;
    asked.deadline = options->deadline;
    asked.receive_window = options->receive_window;
    return asked;
}

struct channel_counts {
    uint64_t retransmissions; /* messages sent again after a timeout or a reconnection */
    uint64_t reconnections;   /* TCP connections that were lost and restored */
    uint64_t unmatched;       /* replies with another xid than the one waited for */
    uint64_t early;           /* unmatched replies to calls that had not been sent yet */
    uint64_t renewals;        /* security contexts that the server no longer knew */
};

/* Add ADDED to SUM. */
static inline void channel_counts_add(struct channel_counts *sum,
                                      const struct channel_counts *added)
{
    sum->retransmissions += added->retransmissions;
    sum->reconnections += added->reconnections;
    sum->unmatched += added->unmatched;
    sum->early += added->early;
    sum->renewals += added->renewals;
}

/* Add to SUM what was counted from BEFORE to AFTER. */
static inline void channel_counts_add_between(struct channel_counts *sum,
                                              const struct channel_counts *before,
                                              const struct channel_counts *after)
{
    sum->retransmissions += after->retransmissions - before->retransmissions;
    sum->reconnections += after->reconnections - before->reconnections;
    sum->unmatched += after->unmatched - before->unmatched;
    sum->early += after->early - before->early;
    sum->renewals += after->renewals - before->renewals;
}

struct channel;

/* Connect. 0, or a negative errno with ERROR set. */
int channel_open(struct channel **channel, const struct endpoint *endpoint,
                 const struct channel_options *options, struct error *error);
void channel_close(struct channel *channel);

const struct channel_counts *channel_counts(const struct channel *channel);

/* A call message as the channel sends it: RPC_RECORD_MARK_SIZE bytes for the record mark, then the
 * message from its xid on. The channel writes the mark and the xid. */
struct channel_message {
    uint8_t *bytes;
    size_t length;                    /* of the message, without the space for the mark */
    const struct engine_patch *patch; /* where calls differ; NULL: nowhere */
};

/* Write the record mark and XID in front of the message. Nothing else changes in a call that is
 * encoded once. */
static inline void channel_message_stamp(const struct channel_message *message, uint32_t xid)
{
    wire_store_u32(message->bytes, RPC_LAST_FRAGMENT | (uint32_t)message->length);
    wire_store_u32(message->bytes + RPC_RECORD_MARK_SIZE, xid);
}

struct channel_reply {
    const uint8_t *bytes; /* the message from its xid on; valid until the next exchange */
    size_t length;
    uint64_t ticks;          /* from just before the send until the reply was in user space */
    bool first_try;          /* neither retransmitted nor reconnected: TICKS is a round trip */
    uint64_t waited;         /* where it was: ticks from just before the first send */
    struct gss_reply sealed; /* set in a protected reply only: as it came, valid as long */
};

/* A clock for calls whose time nobody needs: all its ticks are 0. */
extern const struct clock channel_untimed;

/* Make one call, timed by CLOCK. Returns 0; -EINTR when asked to stop; or a negative errno with
 * ERROR set: -ETIMEDOUT, -ECONNREFUSED, -ECONNRESET and the like (ERROR_UNREACHABLE); -EMSGSIZE or
 * -EBADMSG for bytes that no RPC server sends (ERROR_FAILED). */
int channel_exchange(struct channel *channel, const struct channel_message *message,
                     const struct clock *clock, struct channel_reply *reply, struct error *error);

/* The parts of an exchange, for callers whom what a channel does against trouble would be in the
 * way of: they send and connect again themselves, and their calls are not protected. These return 0
 * or a negative errno: -EAGAIN or -ETIMEDOUT when the wait is over, -ECONNRESET when the server
 * closed the connection, -EINTR when asked to stop. */

/* Send MESSAGE with an XID of the caller's choice; or bytes as they are. */
int channel_send(struct channel *channel, const struct channel_message *message, uint32_t xid);
int channel_send_bytes(struct channel *channel, const uint8_t *bytes, size_t length);

/* Wait for the next reply, whatever its xid, for WAIT_NS at most. Its TICKS are when it came. */
int channel_receive(struct channel *channel, uint64_t wait_ns, const struct clock *clock,
                    struct channel_reply *reply);

/* What is sent, and how many bytes are to come back (over UDP, in a single datagram). */
struct channel_bytes {
    const uint8_t *bytes;
    size_t length;
    size_t answer; /* 1 to the reply_maximum of the options */
};

/* Send some bytes and receive others, none of which are looked at: what a call and its reply cost
 * without RPC, which are the system calls, the network, and waking both ends. *TICKS is what that
 * took. -EBADMSG where a datagram had another length. */
int channel_exchange_bytes(struct channel *channel, const struct channel_bytes *bytes,
                           const struct clock *clock, uint64_t *ticks);

/* Connect again, over TCP from source PORT if that is free (0: from any). 0, or a negative errno
 * with ERROR set. */
int channel_reconnect(struct channel *channel, uint16_t port, struct error *error);

/* The port of the connection (TCP), and its descriptor, for poll(). */
uint16_t channel_source_port(const struct channel *channel);
int channel_descriptor(const struct channel *channel);

/* From now on the server is at ENDPOINT's address. */
void channel_move(struct channel *channel, const struct endpoint *endpoint);

/* By when its exchanges must end: as its options had it, until it is set anew. */
const struct deadline *channel_deadline(const struct channel *channel);
void channel_set_deadline(struct channel *channel, const struct deadline *deadline);

/* From now on only a signal ends its exchanges. */
void channel_lift_deadline(struct channel *channel);

/* The channel's side of its security context, NULL: none. It renews the context over the channel,
 * and may protect calls that go another way. */
struct gss_client *channel_security(const struct channel *channel);

/* How the channel's security context was established; NULL: it has none. */
const struct gss_establishment *channel_establishment(const struct channel *channel);

/* How the latest session of TLS began; NULL: there is none. */
const struct tls_handshake *channel_handshake(const struct channel *channel);

/* End the security context (RPCSEC_GSS_DESTROY), after which only channel_close() may be called;
 * that does the same, if need be. Returns how long it took in ns; 0 if there is none, or the server
 * did not answer within a second. */
uint64_t channel_end_context(struct channel *channel);

/* The least number of packets that a message of LENGTH bytes (over TCP, with its record mark) takes
 * on the path to the server, computed from the MTU. Offloads may hide the steps from both ends.
 * Returns 1 where the MTU is not known. */
unsigned channel_packets(const struct channel *channel, size_t length);

/* The bytes that CHANNEL's connection carried so far, handshake and TLS's records included, as TCP
 * counts them. False where there is no TLS, or the kernel (before Linux 4.19) does not say. */
bool channel_tls_bytes(const struct channel *channel, uint64_t *sent, uint64_t *received);
