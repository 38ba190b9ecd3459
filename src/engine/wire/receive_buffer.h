/* Messages received from one socket: many with one system call, found in place, none copied. */
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
    struct load_watched watched; /* may be set once it is open */
    uint8_t *bytes;
    size_t capacity; /* of BYTES; over UDP, of each datagram's part of it */
    size_t reserve;  /* TCP: bytes for which there is room in each receive; 0: as many as the rest
                      * of the message needs */
    size_t filled;   /* TCP: bytes received */
    size_t taken;    /* TCP: bytes of the messages already found; UDP: datagrams */
    struct rpc_record record; /* TCP: the latest one */
    /* UDP */
    struct mmsghdr *datagrams;
    struct iovec *parts;
    size_t datagrams_maximum, datagrams_filled;
};

struct receive_buffer_message {
    const uint8_t *bytes; /* from the xid on; valid until the next receive_buffer_receive() */
    size_t length;
};

/* Allocate a buffer for messages of MESSAGE_MAXIMUM bytes, of which about MESSAGES may arrive at
 * once. Returns 0 or -ENOMEM. */
int receive_buffer_open(struct receive_buffer *receive_buffer, enum transport transport,
                        size_t message_maximum, size_t messages);
void receive_buffer_close(struct receive_buffer *receive_buffer);

/* Before anything is received, over TCP: enlarge it, so that there is always room for RESERVE
 * bytes. 0 or -ENOMEM. */
int receive_buffer_reserve(struct receive_buffer *receive_buffer, size_t reserve);

/* Receive what is there; with WAIT, wait until something arrives or FD's SO_RCVTIMEO has passed.
 * All messages found so far must have been handled. Returns 0; -EAGAIN when nothing came;
 * -ECONNRESET when the server closed the connection; or the kernel's error. */
int receive_buffer_receive(struct receive_buffer *receive_buffer, int fd, int wait);

/* Find the next whole message, of any form. Returns 1; 0 when there is none; -EMSGSIZE for one that
 * is longer than allowed. */
int receive_buffer_find(struct receive_buffer *receive_buffer,
                        struct receive_buffer_message *message);

/* The same, faster for the usual message over TCP, which is one fragment and whole. */
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

/* Discard what it holds, because the connection is lost. */
void receive_buffer_clear(struct receive_buffer *receive_buffer);

/* How much was received after MESSAGE, which is in the buffer: bytes, over UDP datagrams. */
size_t receive_buffer_after(const struct receive_buffer *receive_buffer,
                            const struct receive_buffer_message *message);
