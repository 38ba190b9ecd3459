/* Messages received from one socket. One system call receives many messages, which are used in the
 * buffer without a copy. */
#pragma once

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "engine/channel/endpoint.h"
#include "engine/load_watch.h"
#include "rpc/message.h"
#include "rpc/record.h"

struct receive_buffer {
    enum transport transport;
    struct load_watched watched; /* observer; may be set after opening */
    uint8_t *bytes;
    size_t capacity; /* size of BYTES; over UDP, size of each datagram's section */
    /* TCP: bytes for which each receive has room in addition to the rest of a message. */
    size_t reserve;
    size_t filled;            /* TCP: end of the received bytes in BYTES */
    size_t taken;             /* TCP: end of the found messages in BYTES; UDP: number of them */
    struct rpc_record record; /* TCP: latest record */
    /* UDP */
    struct mmsghdr *datagrams;
    struct iovec *parts;
    size_t datagrams_maximum, datagrams_filled;
};

struct receive_buffer_message {
    /* message from the xid on; valid until the next receive_buffer_receive() */
    const uint8_t *bytes;
    size_t length;
};

/* Allocate a buffer for messages of up to MESSAGE_MAXIMUM bytes. About MESSAGES messages may arrive
 * at once. Returns 0 or -ENOMEM. */
int receive_buffer_open(struct receive_buffer *receive_buffer, enum transport transport,
                        size_t message_maximum, size_t messages);
void receive_buffer_close(struct receive_buffer *receive_buffer);

/* Enlarge a TCP buffer before its first use, so that each receive has room for RESERVE bytes.
 * Returns 0 or -ENOMEM. */
int receive_buffer_reserve(struct receive_buffer *receive_buffer, size_t reserve);

/* Receive available bytes. If WAIT is not 0, wait until something arrives or FD's SO_RCVTIMEO has
 * passed. Messages found earlier become invalid. Returns 0, -EAGAIN if nothing came, -ECONNRESET
 * if the server closed the connection, or the kernel's negative errno. */
int receive_buffer_receive(struct receive_buffer *receive_buffer, int fd, int wait);

/* Find the next complete message, in one or several fragments. Returns 1 if a message was found, 0
 * if there is none, or -EMSGSIZE if the message is longer than allowed. Over UDP, a longer message
 * is not noticed: its end is missing. */
int receive_buffer_find(struct receive_buffer *receive_buffer,
                        struct receive_buffer_message *message);

/* Find the next complete message as receive_buffer_find() does. Faster for the usual message, which
 * is one complete fragment over TCP. */
static inline int receive_buffer_next(struct receive_buffer *receive_buffer,
                                      struct receive_buffer_message *message)
{
    const uint8_t *bytes = receive_buffer->bytes + receive_buffer->taken;
    size_t left = receive_buffer->filled - receive_buffer->taken, length;
    uint32_t mark;

    if (left < RPC_RECORD_MARK_SIZE || receive_buffer->datagrams)
        return receive_buffer_find(receive_buffer, message);
    memcpy(&mark, bytes, sizeof mark);
    mark = be32toh(mark);
    length = mark & ~RPC_LAST_FRAGMENT;
    if (!(mark & RPC_LAST_FRAGMENT) || length > left - RPC_RECORD_MARK_SIZE)
        return receive_buffer_find(receive_buffer, message);
    message->bytes = bytes + RPC_RECORD_MARK_SIZE;
    message->length = length;
    receive_buffer->taken += RPC_RECORD_MARK_SIZE + length;
    return 1;
}

/* Discard the contents. */
void receive_buffer_clear(struct receive_buffer *receive_buffer);

/* Return the number of bytes (UDP: datagrams) received after MESSAGE, which is in the buffer. */
size_t receive_buffer_after(const struct receive_buffer *receive_buffer,
                            const struct receive_buffer_message *message);
