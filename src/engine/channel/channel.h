/* A channel: one connection to one RPC service, with one call at a time. It sends a message and
 * waits for the reply with the same xid. Over UDP, it sends the message again with the same xid if
 * no reply comes in time. Over TCP, it connects and sends the message again if the connection is
 * lost, but a missing reply is an error. It counts retransmissions and reconnections, and reports
 * whether a call succeeded without them. */
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

/* Number of replies with bytes after the end of their result, and what to do with them. */
struct channel_trailing {
    uint64_t replies;
    const char *procedure; /* first procedure whose reply had trailing bytes */
    bool refused;          /* true: replies with trailing bytes are errors */
};

struct channel_options {
    /* TCP: longest wait for a reply, longest time to connect, and longest time to restore a lost
     * connection. UDP: first wait for a reply; each retransmission doubles the wait. */
    uint64_t timeout_ns;
    struct deadline deadline; /* end of all waits (-ETIMEDOUT); a signal ends them, too (-EINTR) */
    /* UDP: maximum number of retransmissions of a call; unused over TCP */
    unsigned retransmissions;
    /* If true, connections with many calls in flight never give up a call. UDP: a call without a
     * reply is sent again every TIMEOUT_NS. TCP: after TIMEOUT_NS the connection is regarded as
     * lost, and the call is sent again once the caller has made a new connection. */
    bool unending;
    bool reset;              /* true: channels end TCP connections by a reset, which frees ports */
    bool spin;               /* true: poll the socket without sleeping */
    uint32_t receive_window; /* TCP: in bytes; 0: the kernel chooses it */
    size_t reply_maximum;    /* longest allowed reply, in bytes */
    /* For an rpc_client: counts replies with trailing bytes. NULL: they are not counted. */
    struct channel_trailing *trailing;
    struct stalls *stalls;          /* stalls of an rpc_client's calls; NULL: not recorded */
    const struct load_watch *watch; /* observer of a channel's calls; NULL: none */
    struct gss_request security;    /* protection of calls; flavor 0: none */
    bool verify_in_time;            /* true: the ticks of a reply include its verification */
    struct tls_client *tls;         /* TCP: protection of connections; NULL: none */
    /* Array of observers of calls under load, one for each thread. NULL: none. */
    const struct load_watch *load_watch;
};

/* Return a copy of ENDPOINT with those settings of OPTIONS that affect connecting. */
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
    uint64_t retransmissions; /* number of messages sent again after a timeout or reconnection */
    uint64_t reconnections;   /* number of connections made in place of earlier ones */
    uint64_t unmatched;       /* number of replies with an unexpected xid */
    uint64_t early;           /* number of unmatched replies whose xid no call has used yet */
    /* Number of attempts to renew a security context that the server no longer knew. */
    uint64_t renewals;
};

static inline void channel_counts_add(struct channel_counts *sum,
                                      const struct channel_counts *added)
{
    sum->retransmissions += added->retransmissions;
    sum->reconnections += added->reconnections;
    sum->unmatched += added->unmatched;
    sum->early += added->early;
    sum->renewals += added->renewals;
}

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

/* Connect to ENDPOINT, protected as OPTIONS say. Returns 0, or a negative errno with ERROR set. */
int channel_open(struct channel **channel, const struct endpoint *endpoint,
                 const struct channel_options *options, struct error *error);
void channel_close(struct channel *channel);

const struct channel_counts *channel_counts(const struct channel *channel);

/* A call message: RPC_RECORD_MARK_SIZE bytes for the record mark, then the message from its xid on.
 * The channel writes the mark and the xid. */
struct channel_message {
    uint8_t *bytes;
    size_t length;                    /* length of the message without the record mark */
    const struct engine_patch *patch; /* bytes that differ between calls; NULL: none */
};

/* Write the record mark and XID into MESSAGE. A retransmission keeps both. */
static inline void channel_message_stamp(const struct channel_message *message, uint32_t xid)
{
    wire_store_u32(message->bytes, RPC_LAST_FRAGMENT | (uint32_t)message->length);
    wire_store_u32(message->bytes + RPC_RECORD_MARK_SIZE, xid);
}

struct channel_reply {
    const uint8_t *bytes; /* message from its xid on; valid until the next exchange */
    size_t length;
    /* latency, from just before protecting and sending until the reply is in user space (or
     * verified: option VERIFY_IN_TIME) */
    uint64_t ticks;
    bool first_try; /* true: one send and no renewed context, so TICKS is one round trip */
    /* Ticks from just before the first send to the reply; unset if FIRST_TRY is true. */
    uint64_t waited;
    /* The protected reply as received; set only if calls are protected; valid as long as BYTES. */
    struct gss_reply sealed;
};

/* A clock for calls that nobody times: its ticks are always 0. */
extern const struct clock channel_untimed;

/* Make one call, timed by CLOCK. Returns 0, or a negative errno with ERROR set, such as -EINTR if
 * asked to stop; -ETIMEDOUT, -ECONNREFUSED or -ECONNRESET (ERROR_UNREACHABLE); -EMSGSIZE for a
 * reply that is too long (ERROR_FAILED) or, over UDP, a call that is (ERROR_USAGE); -EBADMSG or
 * -EKEYREJECTED for an invalid protected reply. */
int channel_exchange(struct channel *channel, const struct channel_message *message,
                     const struct clock *clock, struct channel_reply *reply, struct error *error);

/* Steps of an exchange, for callers that retransmit and reconnect themselves. Their calls are not
 * protected. Each function returns 0 or a negative errno, such as -EAGAIN or -ETIMEDOUT if the wait
 * is over, -ECONNRESET if the server closed the connection, or -EINTR if asked to stop. */

/* channel_send() sends MESSAGE with XID; channel_send_bytes() sends BYTES unchanged. */
int channel_send(struct channel *channel, const struct channel_message *message, uint32_t xid);
int channel_send_bytes(struct channel *channel, const uint8_t *bytes, size_t length);

/* Wait at most WAIT_NS for the next reply with any xid. REPLY's ticks are its time of arrival. */
int channel_receive(struct channel *channel, uint64_t wait_ns, const struct clock *clock,
                    struct channel_reply *reply);

/* Bytes to send. Over UDP, they and the answer are one datagram each. */
struct channel_bytes {
    const uint8_t *bytes;
    size_t length;
    size_t answer; /* length of the answer in bytes, 1 to the reply_maximum of the options */
};

/* Send BYTES and receive the answer, whose contents are ignored. *TICKS is the duration: the
 * latency of a call without RPC's own work. Returns 0, -EBADMSG if more bytes than the answer or a
 * datagram of another length came, or another negative errno. */
int channel_exchange_bytes(struct channel *channel, const struct channel_bytes *bytes,
                           const struct clock *clock, uint64_t *ticks);

/* Close the connection and connect again. Over TCP use source PORT if it is free (0: any port).
 * Returns 0, or a negative errno with ERROR set. */
int channel_reconnect(struct channel *channel, uint16_t port, struct error *error);

/* channel_source_port() returns the source port of a TCP connection, and channel_descriptor() the
 * socket's descriptor, for poll() (-1: the connection is lost). */
uint16_t channel_source_port(const struct channel *channel);
int channel_descriptor(const struct channel *channel);

/* Close CHANNEL's connection and connect to ENDPOINT's address, because the server has moved. After
 * a failure, the next call over TCP connects again. */
void channel_move(struct channel *channel, const struct endpoint *endpoint);

/* Get and set the time by which exchanges must end; at first, the deadline of the options. */
const struct deadline *channel_deadline(const struct channel *channel);
void channel_set_deadline(struct channel *channel, const struct deadline *deadline);

/* Remove the deadline, so that only a signal or the timeout ends waits. */
void channel_lift_deadline(struct channel *channel);

/* Return the channel's security context, or NULL if there is none. The context renews itself over
 * the channel, and may protect calls on other connections, too. */
struct gss_client *channel_security(const struct channel *channel);

/* Return how long the security context took to establish; NULL if there is none. */
const struct gss_establishment *channel_establishment(const struct channel *channel);

/* Return the handshake of the current TLS session; NULL if there is none. */
const struct tls_handshake *channel_handshake(const struct channel *channel);

/* End the security context (RPCSEC_GSS_DESTROY). Otherwise channel_close() ends it. After this
 * call, only channel_close() may be called. Returns the time taken in ns, about a second at most; 0
 * if there is no context, the last call was not answered, or this call failed. */
uint64_t channel_end_context(struct channel *channel);

/* Return the least number of packets for a message of LENGTH bytes (over TCP, with its record mark)
 * on the path to the server, computed from TCP's segment size or the MTU; 1 if this is unknown.
 * Offloads may hide these packets from both ends. */
unsigned channel_packets(const struct channel *channel, size_t length);

/* Get the bytes sent and received on CHANNEL's TLS connection, as TCP counts them, with the
 * handshake and all of TLS's overhead, but without retransmissions. Returns false without TLS or a
 * connection, or before Linux 4.19. */
bool channel_tls_bytes(const struct channel *channel, uint64_t *sent, uint64_t *received);
