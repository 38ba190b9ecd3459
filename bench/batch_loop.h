/* A client that is a bare loop, without RPC or NFS code. It keeps calls in flight on one or more
 * connections, sends many calls with one system call, receives many replies with another, and
 * counts the replies by their record marks or, over UDP, as datagrams. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "batch_peer.h"
#include "engine/channel/channel.h"
#include "engine/channel/endpoint.h"

/* The calls as bytes on the wire, and buffers for the replies. All connections send the same calls,
 * with the xids from 1 to DEPTH. After COUNT replies, a connection sends the first COUNT calls
 * again, so calls in flight can have equal xids. */
struct batch_calls {
    bool tcp;
    /* DEPTH: number of calls in flight on the connection. CALL_LENGTH, REPLY_LENGTH: number of
     * bytes of one message, over TCP with its record mark. */
    size_t depth, call_length, reply_length;
    uint8_t *bytes; /* DEPTH calls */
    uint8_t *input; /* buffer for replies: over TCP of BATCH_INPUT_SIZE bytes, over UDP for DEPTH */
    /* Only over UDP: descriptions of DEPTH calls and replies for sendmmsg() and recvmmsg(). */
    struct iovec out[BATCH_MAXIMUM], in[BATCH_MAXIMUM];
    struct mmsghdr sent[BATCH_MAXIMUM], received[BATCH_MAXIMUM];
};

enum { BATCH_INPUT_SIZE = 256 * 1024 };

/* Prepare CALLS for TCP, or for UDP if TCP is false: DEPTH copies of MESSAGE, each with a different
 * xid. A reply has REPLY_LENGTH bytes, over TCP with its record mark. */
void batch_calls_open(struct batch_calls *calls, const struct channel_message *message, bool tcp,
                      size_t depth, size_t reply_length);

struct batch_link;

struct batch_loop {
    struct batch_calls *calls;
    struct batch_link *links;
    size_t link_count;
    int epoll; /* used only with more than one connection */
};

/* Make COUNT connections to ENDPOINT. All functions of a batch_loop end the program on an error. */
void batch_loop_open(struct batch_loop *loop, struct batch_calls *calls,
                     const struct endpoint *endpoint, size_t count);

/* Make one call over the first connection, and copy its reply, as on the wire, to REPLY. */
void batch_loop_try(struct batch_loop *loop, uint8_t *reply);

/* Keep the calls in flight on each connection for LASTS_NS. After that, wait for the last reply.
 * Returns the number of calls made. */
uint64_t batch_loop_run(struct batch_loop *loop, uint64_t lasts_ns);

/* Request LENGTH bytes over the first connection, and receive them. The server must be one that
 * batch_peer_stream() started. */
void batch_loop_stream(struct batch_loop *loop, uint64_t length);
