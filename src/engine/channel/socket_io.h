/* Blocking sends and receives over one socket, which end when the wait is over or when asked to
 * stop. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/deadline.h"
#include "common/error.h"
#include "engine/load_watch.h"

struct endpoint;

struct socket_io {
    int fd;
    bool spin;        /* receive without sleeping */
    uint64_t wait_ns; /* time limit of one exchange, from its send to the end of its reply */
    struct deadline
        deadline; /* when every wait on this connection ends; a signal ends all waits (-EINTR) */
    struct load_watched watched; /* without a watch the kernel's calls are made */
    uint64_t sleep_ns; /* at most, in one system call: so long a request to stop may go unnoticed */
    uint64_t over_ns;  /* deadline_now_ns() when the exchange is given up; 0: not known yet */
};

/* Wait for WAIT_NS from now on. 0 or a negative errno. */
int socket_io_set_wait(struct socket_io *io, uint64_t wait_ns);

/* May an exchange go on that has not yet brought the reply it waits for, after it has slept for
 * SLEPT_NS? The wait counts from the first of these calls, so that an exchange without trouble
 * reads no clock. Returns 0; -EINTR when asked to stop; -EAGAIN when the wait is over. */
int socket_io_look(struct socket_io *io, uint64_t slept_ns);

/* recv() that may spin. Returns the number of bytes received (0: the peer closed the connection),
 * or a negative errno: -EAGAIN when the wait is over. */
ssize_t socket_io_receive(struct socket_io *io, void *at, size_t room);

/* Begin an exchange by sending all LENGTH bytes. Returns 0, or a negative errno: -ETIMEDOUT when
 * the wait is over. */
int socket_io_send(struct socket_io *io, const uint8_t *bytes, size_t length);

/* Does CODE, returned by one of these, mean that a TCP connection ended? */
bool socket_io_was_lost(int code);

/* Set ERROR for CODE of a connection to ENDPOINT, to whose calls no answer is longer than
 * REPLY_MAXIMUM bytes. Returns CODE. */
int socket_io_describe(const struct endpoint *endpoint, size_t reply_maximum, int code,
                       struct error *error);

/* The number of packets that LENGTH bytes over IO's socket, which is connected to ENDPOINT, take; 1
 * if the size of a packet is not known. */
unsigned socket_io_packets(const struct socket_io *io, const struct endpoint *endpoint,
                           size_t length);
