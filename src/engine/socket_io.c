#include "engine/socket_io.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "engine/channel.h"
#include "measure/clock.h"

enum { SPINS_BETWEEN_CHECKS = 1024 }; /* of the deadline and the stop flag */

int socket_io_set_wait(struct socket_io *io, uint64_t wait_ns)
{
    struct timeval wait = {.tv_sec = (time_t)(wait_ns / 1000000000),
                           .tv_usec = (suseconds_t)(wait_ns % 1000000000 / 1000)};

    if (wait.tv_sec == 0 && wait.tv_usec == 0)
        wait.tv_usec = 1; /* 0 would be to wait forever */
    io->wait_ns = wait_ns;
    if (setsockopt(io->fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) != 0 ||
        setsockopt(io->fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait) != 0)
        return -errno;
    return 0;
}

static ssize_t receive_once(const struct socket_io *io, void *at, size_t room, int flags)
{
    const struct channel_watch *watch = io->watch;

    return watch ? watch->receive(watch->context, io->fd, at, room, flags)
                 : recv(io->fd, at, room, flags);
}

static ssize_t receive_sleeping(const struct socket_io *io, void *at, size_t room)
{
    ssize_t got;

    do
        got = receive_once(io, at, room, 0);
    while (got < 0 && errno == EINTR && !socket_io_is_stopped(io));
    return got < 0 ? -errno : got;
}

ssize_t socket_io_receive(const struct socket_io *io, void *at, size_t room)
{
    uint64_t deadline = 0;

    if (!io->spin)
        return receive_sleeping(io, at, room);
    for (;;) {
        for (int i = 0; i < SPINS_BETWEEN_CHECKS; i++) {
            ssize_t got = receive_once(io, at, room, MSG_DONTWAIT);

            if (got >= 0)
                return got;
            if (errno != EAGAIN && errno != EINTR)
                return -errno;
        }
        if (socket_io_is_stopped(io))
            return -EINTR;
        if (deadline == 0)
            deadline = clock_raw_ns() + io->wait_ns;
        else if (clock_raw_ns() > deadline)
            return -EAGAIN;
    }
}

static ssize_t send_once(const struct socket_io *io, const uint8_t *bytes, size_t length)
{
    const struct channel_watch *watch = io->watch;
    ssize_t sent;

    if (watch)
        watch->sending(watch->context);
    sent = send(io->fd, bytes, length, MSG_NOSIGNAL);
    if (watch)
        watch->sent(watch->context, sent);
    return sent;
}

int socket_io_send(const struct socket_io *io, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send_once(io, bytes, length);

        if (sent < 0 && errno == EINTR && !socket_io_is_stopped(io))
            continue;
        if (sent < 0)
            return errno == EAGAIN ? -ETIMEDOUT : -errno;
        bytes += sent;
        length -= (size_t)sent;
    }
    return 0;
}

bool socket_io_was_lost(int code)
{
    return code == -ECONNRESET || code == -EPIPE || code == -ECONNABORTED;
}
