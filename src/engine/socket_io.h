/* Blocking sends and receives over one socket, which end with a wait, or when told to stop. */
#ifndef NFSBENCH_ENGINE_SOCKET_IO_H
#define NFSBENCH_ENGINE_SOCKET_IO_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct channel_watch;

struct socket_io {
    int fd;
    bool spin;                         /* receive without sleeping */
    uint64_t wait_ns;                  /* for more bytes, or for room to send */
    const volatile sig_atomic_t *stop; /* not 0: give up (-EINTR); may be NULL */
    const struct channel_watch *watch; /* engine/channel.h; NULL: nobody looks on */
};

static inline bool socket_io_is_stopped(const struct socket_io *io)
{
    return io->stop && *io->stop;
}

/* Wait for WAIT_NS from now on. 0 or a negative errno. */
int socket_io_set_wait(struct socket_io *io, uint64_t wait_ns);

/* recv() that may spin. Bytes received (0: the peer closed the connection), or a negative errno:
 * -EAGAIN when the wait is over. */
ssize_t socket_io_receive(const struct socket_io *io, void *at, size_t room);

/* Send all LENGTH bytes. 0, or a negative errno: -ETIMEDOUT when the wait is over. */
int socket_io_send(const struct socket_io *io, const uint8_t *bytes, size_t length);

/* Did CODE, from one of these, mean that a TCP connection ended? */
bool socket_io_was_lost(int code);

#endif
