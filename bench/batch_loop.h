/* A bare client: a loop that keeps calls in flight on one connection or many. It sends many calls
 * by one system call, receives many replies by one, and counts these by their record marks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "batch_peer.h"
#include "engine/channel/channel.h"
#include "engine/channel/endpoint.h"

/* The calls of each connection, as on the wire, each with its own xid, and what comes back. */
struct batch_calls {
    bool tcp;
    size_t depth, call_length, reply_length; /* the lengths with record marks */
    uint8_t *bytes;                          /* DEPTH calls */
    uint8_t *input;                          /* BATCH_INPUT_SIZE bytes */
    /* UDP */
    struct iovec out[BATCH_MAXIMUM], in[BATCH_MAXIMUM];
    struct mmsghdr sent[BATCH_MAXIMUM], received[BATCH_MAXIMUM];
};

enum { BATCH_INPUT_SIZE = 256 * 1024 };

/* Lay out DEPTH calls of MESSAGE, whose replies have REPLY_LENGTH bytes. */
void batch_calls_open(struct batch_calls *calls, const struct channel_message *message, bool tcp,
                      size_t depth, size_t reply_length);

struct batch_link;

struct batch_loop {
    struct batch_calls *calls;
    struct batch_link *links;
    size_t link_count;
    int epoll; /* of several connections */
};

/* Connect COUNT times to ENDPOINT. Like those below it ends the program where it fails. */
void batch_loop_open(struct batch_loop *loop, struct batch_calls *calls,
                     const struct endpoint *endpoint, size_t count);

/* Make one call over the first connection; REPLY gets it, with its record mark. */
void batch_loop_try(struct batch_loop *loop, uint8_t *reply);

/* Keep calls in flight for LASTS_NS, then wait for the last. Returns how many were made. */
uint64_t batch_loop_run(struct batch_loop *loop, uint64_t lasts_ns);

/* Ask the stream at the other end for LENGTH bytes, and receive them. */
void batch_loop_stream(struct batch_loop *loop, uint64_t length);
