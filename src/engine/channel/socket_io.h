/* Blocking sends and receives on one socket. A time limit or a requested stop ends them. */
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
    /* End of all waits on this connection. A signal ends them, too (-EINTR). */
    struct deadline deadline;
    struct load_watched watched; /* observer, if any, which replaces the system calls */
    /* FD's present SO_RCVTIMEO and SO_SNDTIMEO, set only by set_sleep() */
    uint64_t sleep_ns;
    uint64_t over_ns; /* deadline_now_ns() at which the exchange ends; 0: not set yet */
};

/* Set the time limit of each exchange from now on to WAIT_NS. The caller must do this again for
 * each new FD. Returns 0 or a negative errno. */
int socket_io_set_wait(struct socket_io *io, uint64_t wait_ns);

/* Check whether an exchange that has no reply yet may continue, after a sleep of SLEPT_NS. The
 * exchange's first check begins the time limit, SLEPT_NS in the past, so that an exchange that is
 * answered at once reads no clock. Returns 0 if it may continue, -EINTR if asked to stop, or
 * -EAGAIN if the wait is over. */
int socket_io_look(struct socket_io *io, uint64_t slept_ns);

/* Receive up to ROOM bytes; if IO's spin is true, without sleeping. Returns the number of bytes (0:
 * the peer closed the connection), or a negative errno, such as -EAGAIN if the wait is over. */
ssize_t socket_io_receive(struct socket_io *io, void *at, size_t room);

/* Begin an exchange: send all LENGTH bytes. Returns 0, or a negative errno, such as -ETIMEDOUT (not
 * -EAGAIN) if the wait is over. */
int socket_io_send(struct socket_io *io, const uint8_t *bytes, size_t length);

/* Return whether CODE of these functions means that the TCP connection ended. */
bool socket_io_was_lost(int code);

/* Set ERROR to the meaning of CODE for a connection to ENDPOINT. REPLY_MAXIMUM is the limit for
 * replies in bytes. Returns CODE. */
int socket_io_describe(const struct endpoint *endpoint, size_t reply_maximum, int code,
                       struct error *error);

/* Return the number of packets for LENGTH bytes to ENDPOINT; 1 if a packet's size is unknown. */
unsigned socket_io_packets(const struct socket_io *io, const struct endpoint *endpoint,
                           size_t length);
