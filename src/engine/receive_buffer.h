/* Messages received from one socket: many with one system call, found in place, none copied. */
#ifndef NFSBENCH_ENGINE_RECEIVE_BUFFER_H
#define NFSBENCH_ENGINE_RECEIVE_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "engine/endpoint.h"

struct receive_buffer {
    enum transport transport;
    uint8_t *bytes;
    size_t capacity; /* of BYTES; over UDP, of each datagram's part of it */
    size_t filled;   /* TCP: bytes received */
    size_t taken;    /* TCP: bytes of the messages already found; UDP: datagrams */
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

/* Receive what is there; with WAIT, wait until something arrives or FD's SO_RCVTIMEO has passed.
 * All messages found so far must have been handled. Returns 0; -EAGAIN when nothing came;
 * -ECONNRESET when the server closed the connection; or the kernel's error. */
int receive_buffer_receive(struct receive_buffer *receive_buffer, int fd, int wait);

/* Find the next whole message. Returns 1; 0 when there is none; -EMSGSIZE for one that is longer
 * than allowed. */
int receive_buffer_next(struct receive_buffer *receive_buffer,
                        struct receive_buffer_message *message);

/* Discard what it holds, because the connection is lost. */
void receive_buffer_clear(struct receive_buffer *receive_buffer);

#endif
