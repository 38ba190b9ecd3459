/* Messages to be sent over one socket: collected, and handed to the kernel with as few system calls
 * as possible. Over TCP all of them go out as one stream of bytes, over UDP each message is a
 * datagram. Short messages are copied, which is cheaper than an entry in the kernel's list; of long
 * messages only the head is copied. */
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
    TRANSMIT_BUFFER_SHORT_MESSAGE = 1024, /* bytes; a longer one is not copied */
    TRANSMIT_BUFFER_HEAD = RPC_RECORD_MARK_SIZE + TRANSMIT_BUFFER_SHORT_MESSAGE,
};

struct transmit_buffer {
    enum transport transport;
    struct load_watched watched; /* may be set once it is open */
    uint8_t *heads;              /* record marks, xids, and whole messages that are short */
    size_t heads_size, heads_used;
    struct iovec *parts;
    size_t parts_maximum, parts_used, parts_sent;
    struct mmsghdr *datagrams; /* NULL over TCP */
    size_t datagrams_maximum, datagrams_used, datagrams_sent;
};

/* Allocate a buffer for MESSAGES messages at once, within reason. Returns 0 or -ENOMEM. */
int transmit_buffer_open(struct transmit_buffer *transmit_buffer, enum transport transport,
                         size_t messages);
void transmit_buffer_close(struct transmit_buffer *transmit_buffer);

/* Is there room for a message of any length? If not, send first. */
static inline bool transmit_buffer_has_room(const struct transmit_buffer *transmit_buffer)
{
    return transmit_buffer->heads_size - transmit_buffer->heads_used >= TRANSMIT_BUFFER_HEAD &&
           transmit_buffer->parts_maximum - transmit_buffer->parts_used >= 2 &&
           transmit_buffer->datagrams_used < transmit_buffer->datagrams_maximum;
}

/* Add MESSAGE, with its record mark and XID written in front. There must be room for it, and its
 * bytes must not change until they are sent. Returns the copy that was made of its beginning, at
 * least as far as calls differ (its patch): that may be changed until it is sent. */
uint8_t *transmit_buffer_add(struct transmit_buffer *transmit_buffer,
                             const struct channel_message *message, uint32_t xid);

/* Copy LENGTH bytes by moves of constant size, the last of which overlaps the one before it. A call
 * has 44 bytes and more; memcpy() of a length that the compiler doesn't know takes longer. */
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

/* The same, faster for the usual one: it is short, and follows another over TCP. */
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

/* Does it hold anything? */
static inline bool transmit_buffer_holds(const struct transmit_buffer *transmit_buffer)
{
    return transmit_buffer->parts_sent < transmit_buffer->parts_used;
}

/* Hand its contents to the kernel, without waiting. Returns 0 when all is sent; -EAGAIN when the
 * rest must wait until FD takes more; or the kernel's error. */
int transmit_buffer_send(struct transmit_buffer *transmit_buffer, int fd);

/* Discard what it holds, because the connection is lost. */
void transmit_buffer_clear(struct transmit_buffer *transmit_buffer);
