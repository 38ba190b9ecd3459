/* A channel: one connection to one RPC service, over which calls are made one at a time. It sends
 * a message, waits for the reply with the same xid, and does what a client should when the network
 * fails: over UDP it sends again with the same xid, over TCP it connects again and sends again.
 * What it did is counted, and a call that needed it is never passed off as a latency. */
#ifndef NFSBENCH_ENGINE_CHANNEL_H
#define NFSBENCH_ENGINE_CHANNEL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "engine/endpoint.h"
#include "measure/clock.h"
#include "rpc/message.h"
#include "rpc/record.h"

/* Someone who looks on at each step of an exchange, and receives in the channel's place. */
struct channel_watch {
    void (*connected)(void *context, int fd);  /* a new socket, before anything is sent over it */
    void (*sending)(void *context);            /* send() is about to be called */
    void (*sent)(void *context, ssize_t sent); /* and has returned SENT */
    ssize_t (*receive)(void *context, int fd, void *bytes, size_t room, int flags); /* as recv() */
    void *context;
};

struct channel_options {
    /* TCP: how long to wait for a reply, and how long to try to connect again when the connection
     * is lost. UDP: the first wait for a reply; each retransmission then waits twice as long. */
    uint64_t timeout_ns;
    unsigned retransmissions; /* UDP: how often a call is sent again; TCP makes no use of it */
    bool spin;                /* poll the socket without sleeping */
    size_t reply_maximum;     /* bytes; a longer reply is an error */
    const volatile sig_atomic_t *stop; /* not 0: give up waiting (-EINTR) */
    const struct channel_watch *watch; /* of single calls; NULL: nobody looks on */
};

/* Is it time to give up? A signal's handler sets what STOP points to, in whatever thread. */
static inline bool channel_is_stopped(const struct channel_options *options)
{
    return options->stop && __atomic_load_n(options->stop, __ATOMIC_RELAXED);
}

struct channel_counts {
    uint64_t retransmissions; /* messages sent again, after a timeout or a reconnection */
    uint64_t reconnections;   /* TCP connections that were lost and made again */
    uint64_t strays;          /* replies with another xid than the one waited for */
};

/* Add ADDED to SUM. */
static inline void channel_counts_add(struct channel_counts *sum,
                                      const struct channel_counts *added)
{
    sum->retransmissions += added->retransmissions;
    sum->reconnections += added->reconnections;
    sum->strays += added->strays;
}

/* Add to SUM what was counted between BEFORE and AFTER. */
static inline void channel_counts_add_between(struct channel_counts *sum,
                                              const struct channel_counts *before,
                                              const struct channel_counts *after)
{
    sum->retransmissions += after->retransmissions - before->retransmissions;
    sum->reconnections += after->reconnections - before->reconnections;
    sum->strays += after->strays - before->strays;
}

struct channel;

/* Connect. 0, or a negative errno with ERROR set. */
int channel_open(struct channel **channel, const struct endpoint *endpoint,
                 const struct channel_options *options, struct error *error);
void channel_close(struct channel *channel);

const struct channel_counts *channel_counts(const struct channel *channel);

/* A call message as the channel sends it: RPC_RECORD_MARK_SIZE bytes of room, then the message
 * from its xid on. The channel writes the mark and the xid. */
struct channel_message {
    uint8_t *bytes;
    size_t length; /* of the message, without the room */
};

/* Write the mark and XID in front: all that a call takes which is encoded once. */
static inline void channel_message_stamp(const struct channel_message *message, uint32_t xid)
{
    wire_store_u32(message->bytes, RPC_LAST_FRAGMENT | (uint32_t)message->length);
    wire_store_u32(message->bytes + RPC_RECORD_MARK_SIZE, xid);
}

struct channel_reply {
    const uint8_t *bytes; /* the message from its xid on; valid until the next exchange */
    size_t length;
    uint64_t ticks; /* from just before the send to just after the reply was in user space */
    bool first_try; /* neither sent again nor reconnected: TICKS is a round trip */
};

/* Make one call. CLOCK times it. 0; -EINTR when told to stop; or a negative errno with ERROR set:
 * -ETIMEDOUT, -ECONNREFUSED, -ECONNRESET and the like (ERROR_UNREACHABLE), -EMSGSIZE or -EBADMSG
 * for what no RPC server sends (ERROR_FAILED). */
int channel_exchange(struct channel *channel, const struct channel_message *message,
                     const struct clock *clock, struct channel_reply *reply, struct error *error);

/* How many packets a message of LENGTH bytes (record mark included, over TCP) takes on the path to
 * the server, at least: by its MTU. Offloads may hide the steps from both ends. 1 where the MTU is
 * not known. */
unsigned channel_packets(const struct channel *channel, size_t length);

#endif
