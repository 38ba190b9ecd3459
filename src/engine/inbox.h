/* Messages that have come in over one socket: many with one system call, found in place, none
 * copied. */
#ifndef NFSBENCH_ENGINE_INBOX_H
#define NFSBENCH_ENGINE_INBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "engine/endpoint.h"

struct inbox {
    enum transport transport;
    uint8_t *bytes;
    size_t capacity; /* of BYTES; over UDP of each datagram's part of them */
    size_t filled;   /* TCP: bytes received */
    size_t taken;    /* TCP: bytes of the messages already found; UDP: datagrams */
    /* UDP */
    struct mmsghdr *datagrams;
    struct iovec *parts;
    size_t datagrams_maximum, datagrams_filled;
};

struct inbox_message {
    const uint8_t *bytes; /* from the xid on; valid until the next inbox_receive() */
    size_t length;
};

/* Make one for messages of MESSAGE_MAXIMUM bytes, of which some MESSAGES may come at once. 0 or
 * -ENOMEM. */
int inbox_open(struct inbox *inbox, enum transport transport, size_t message_maximum,
               size_t messages);
void inbox_close(struct inbox *inbox);

/* Receive what is there; with WAIT, until something is, or FD's SO_RCVTIMEO has passed. All
 * messages found so far must have been dealt with. 0; -EAGAIN for nothing; -ECONNRESET when the
 * server closed the connection; or what the kernel said. */
int inbox_receive(struct inbox *inbox, int fd, int wait);

/* The next whole message. 1; 0 when there is none; -EMSGSIZE for one that is longer than any may
 * be. */
int inbox_next(struct inbox *inbox, struct inbox_message *message);

/* Forget what it holds: the connection is gone. */
void inbox_clear(struct inbox *inbox);

#endif
