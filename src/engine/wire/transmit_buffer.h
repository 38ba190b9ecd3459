/* Messages to be sent over one socket. They are collected and passed to the kernel with few system
 * calls: over TCP as one stream of bytes, over UDP as one datagram each. Short messages are copied,
 * because that costs less than an iovec. Of long messages only the head is copied. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "engine/channel/channel.h"
#include "engine/channel/endpoint.h"
#include "engine/load_watch.h"
#include "rpc/message.h"
#include "rpc/wire.h"

enum {
    TRANSMIT_BUFFER_SHORT_MESSAGE = 1024, /* longest message, in bytes, that is copied completely */
    TRANSMIT_BUFFER_HEAD = RPC_RECORD_MARK_SIZE + TRANSMIT_BUFFER_SHORT_MESSAGE,
};

struct transmit_buffer {
    enum transport transport;
    struct load_watched watched; /* observer; may be set after opening */
    uint8_t *heads;              /* heads of messages, and complete short messages */
    size_t heads_size, heads_used;
    struct iovec *parts;
    size_t parts_maximum, parts_used, parts_sent;
    struct mmsghdr *datagrams; /* NULL over TCP */
    size_t datagrams_maximum, datagrams_used, datagrams_sent;
};

/* Allocate a buffer for MESSAGES messages, but at most 128. Returns 0 or -ENOMEM. */
int transmit_buffer_open(struct transmit_buffer *transmit_buffer, enum transport transport,
                         size_t messages);
void transmit_buffer_close(struct transmit_buffer *transmit_buffer);

/* Return whether a message of any length fits. If false, send before adding a message. */
static inline bool transmit_buffer_has_room(const struct transmit_buffer *transmit_buffer)
{
    return transmit_buffer->heads_size - transmit_buffer->heads_used >= TRANSMIT_BUFFER_HEAD &&
           transmit_buffer->parts_maximum - transmit_buffer->parts_used >= 2 &&
           transmit_buffer->datagrams_used < transmit_buffer->datagrams_maximum;
}

/* Add MESSAGE, with its record mark and XID written in front. transmit_buffer_has_room() must be
 * true. MESSAGE's bytes must not change until they are sent. Returns the copy of the message's
 * head. The copy includes all bytes of MESSAGE's patch, and may be changed until it is sent. */
uint8_t *transmit_buffer_add(struct transmit_buffer *transmit_buffer,
                             const struct channel_message *message, uint32_t xid);

/* Copy LENGTH bytes by moves of constant size; the last move may overlap the previous one. Calls
 * have 44 bytes or more, and a memcpy() of unknown length is slower. */
static inline void transmit_buffer_copy(uint8_t *to, const uint8_t *from, size_t length)
{
    enum { STEP = 32 };

    if (length < STEP) {
        memcpy(to, from, length);
        return;
    }
    for (size_t at = 0; at < length - STEP; at += STEP)
        memcpy(to + at, from + at, STEP);
    memcpy(to + length - STEP, from + length - STEP, STEP);
}

/* Add MESSAGE as transmit_buffer_add() does. Faster for the usual message, which is short and
 * follows another one over TCP. */
static inline uint8_t *transmit_buffer_put(struct transmit_buffer *transmit_buffer,
                                           const struct channel_message *message, uint32_t xid)
{
    uint8_t *head = transmit_buffer->heads + transmit_buffer->heads_used;
    size_t length = RPC_RECORD_MARK_SIZE + message->length, used = transmit_buffer->parts_used;
    struct iovec *last = &transmit_buffer->parts[used ? used - 1 : 0];

    if (transmit_buffer->datagrams || message->length > TRANSMIT_BUFFER_SHORT_MESSAGE ||
        used == 0 || (uint8_t *)last->iov_base + last->iov_len != head)
        return transmit_buffer_add(transmit_buffer, message, xid);
    transmit_buffer_copy(head, message->bytes, length);
    wire_store_u32(head, RPC_LAST_FRAGMENT | (uint32_t)message->length);
    wire_store_u32(head + RPC_RECORD_MARK_SIZE, xid);
    transmit_buffer->heads_used += length;
    last->iov_len += length;
    return head;
}

static inline bool transmit_buffer_holds(const struct transmit_buffer *transmit_buffer)
{
    return transmit_buffer->parts_sent < transmit_buffer->parts_used;
}

/* Send the contents without waiting. Returns 0 if everything was sent, -EAGAIN if the rest must
 * wait until FD takes more bytes, or the negative errno of the kernel. */
int transmit_buffer_send(struct transmit_buffer *transmit_buffer, int fd);

/* Discard the contents. */
void transmit_buffer_clear(struct transmit_buffer *transmit_buffer);
