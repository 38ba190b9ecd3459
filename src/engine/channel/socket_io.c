#include "engine/channel/socket_io.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "engine/channel/channel.h"

enum {
    /* attempts to receive between checks of the deadline and the stop flag */
    SPINS_BETWEEN_CHECKS = 1024,
    /* A signal between the check of the flag and recv() interrupts nothing. It is noticed when
       recv() returns, so no recv() may sleep longer than this. */
    SLEEP_MAXIMUM_NS = 100 * 1000 * 1000,
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static int set_sleep(struct socket_io *io, uint64_t sleep_ns)
{
    struct timeval sleep = {.tv_sec = (time_t)(sleep_ns / 1000000000),
                            .tv_usec = (suseconds_t)(sleep_ns % 1000000000 / 1000)};

    if (sleep_ns == io->sleep_ns)
        return 0;
    if (sleep.tv_sec == 0 && sleep.tv_usec == 0)
        sleep.tv_usec = 1; /* 0 would mean no limit */
    if (setsockopt(io->fd, SOL_SOCKET, SO_RCVTIMEO, &sleep, sizeof sleep) != 0 ||
        setsockopt(io->fd, SOL_SOCKET, SO_SNDTIMEO, &sleep, sizeof sleep) != 0)
        return -errno;
    io->sleep_ns = sleep_ns;
    return 0;
}

int socket_io_set_wait(struct socket_io *io, uint64_t wait_ns)
{
    io->wait_ns = wait_ns;
    io->sleep_ns = UINT64_MAX; /* unknown, because the socket may have changed */
    return set_sleep(io, least(wait_ns, SLEEP_MAXIMUM_NS));
}

int socket_io_look(struct socket_io *io, uint64_t slept_ns)
{
    uint64_t now;

    if (deadline_is_stopped(&io->deadline))
        return -EINTR;
    now = deadline_now_ns();
    if (io->over_ns == 0)
        io->over_ns = now + io->wait_ns - least(slept_ns, io->wait_ns);
    if (io->deadline.at_ns)
        io->over_ns = least(io->over_ns, io->deadline.at_ns);
    if (now >= io->over_ns)
        return -EAGAIN;
    return set_sleep(io, least(io->over_ns - now, SLEEP_MAXIMUM_NS));
}

/* Begin an exchange. If there is a deadline, even the first sleep may have to be shorter. */
static int begin_exchange(struct socket_io *io)
{
    io->over_ns = 0;
    if (io->deadline.at_ns)
        return socket_io_look(io, 0);
    return set_sleep(io, least(io->wait_ns, SLEEP_MAXIMUM_NS));
}

static ssize_t receive_sleeping(struct socket_io *io, void *at, size_t room)
{
    for (;;) {
        ssize_t got = load_watched_receive(&io->watched, io->fd, at, room, 0);
        int code;

        if (got >= 0)
            return got;
        if (errno != EAGAIN && errno != EINTR)
            return -errno;
        code = socket_io_look(io, errno == EAGAIN ? io->sleep_ns : 0);
        if (code)
            return code;
    }
}

ssize_t socket_io_receive(struct socket_io *io, void *at, size_t room)
{
    if (!io->spin)
        return receive_sleeping(io, at, room);
    for (;;) {
        int code;

        for (int i = 0; i < SPINS_BETWEEN_CHECKS; i++) {
            ssize_t got = load_watched_receive(&io->watched, io->fd, at, room, MSG_DONTWAIT);

            if (got >= 0)
                return got;
            if (errno != EAGAIN && errno != EINTR)
                return -errno;
        }
        code = socket_io_look(io, 0);
        if (code)
            return code;
    }
}

static ssize_t send_once(const struct socket_io *io, const uint8_t *bytes, size_t length)
{
    struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    return io->watched.watch ? load_watched_send(&io->watched, io->fd, &message, MSG_NOSIGNAL)
                             : send(io->fd, bytes, length, MSG_NOSIGNAL);
}

int socket_io_send(struct socket_io *io, const uint8_t *bytes, size_t length)
{
    int code = begin_exchange(io);

    while (code == 0) {
        ssize_t sent = send_once(io, bytes, length);

        if (sent == (ssize_t)length)
            return 0;
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return -errno;
        code = socket_io_look(io, sent < 0 && errno == EAGAIN ? io->sleep_ns : 0);
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        }
    }
    return code == -EAGAIN ? -ETIMEDOUT : code;
}

bool socket_io_was_lost(int code)
{
    return code == -ECONNRESET || code == -EPIPE || code == -ECONNABORTED;
}

int socket_io_describe(const struct endpoint *endpoint, size_t reply_maximum, int code,
                       struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    endpoint_describe(endpoint, name);
    if (code == -EMSGSIZE && endpoint->transport == TRANSPORT_UDP)
        return error_set(error, ERROR_USAGE, code,
                         "a call to %s is longer than a datagram can be; see --size", name);
    if (code == -EMSGSIZE)
        return error_set(error, ERROR_FAILED, code,
                         "%s sent a record longer than any reply to this call (over %zu bytes); is "
                         "it an RPC server?",
                         name, reply_maximum);
    return error_set(error, ERROR_UNREACHABLE, code, "talking to %s: %s (RPC_CANTRECV)", name,
                     socket_io_was_lost(code) ? "the server closed the connection"
                                              : strerror(-code));
}

/* Return how many bytes a TCP segment or a UDP datagram's fragment carries; 0: unknown. */
static size_t packet_capacity(const struct socket_io *io, const struct endpoint *endpoint)
{
    enum { IPV4_HEADER = 20, IPV6_FRAGMENT_HEADERS = 48, FRAGMENT_UNIT = 8 };
    bool tcp = endpoint->transport == TRANSPORT_TCP;
    bool v6 = endpoint->address.ss_family == AF_INET6;
    size_t headers = v6 ? IPV6_FRAGMENT_HEADERS : IPV4_HEADER;
    int value = 0, code;
    socklen_t length = sizeof value;

    if (tcp)
        code = getsockopt(io->fd, IPPROTO_TCP, TCP_MAXSEG, &value, &length);
    else if (v6)
        code = getsockopt(io->fd, IPPROTO_IPV6, IPV6_MTU, &value, &length);
    else
        code = getsockopt(io->fd, IPPROTO_IP, IP_MTU, &value, &length);
    if (code != 0 || value <= (int)headers)
        return 0;
    return tcp ? (size_t)value : ((size_t)value - headers) / FRAGMENT_UNIT * FRAGMENT_UNIT;
}

unsigned socket_io_packets(const struct socket_io *io, const struct endpoint *endpoint,
                           size_t length)
{
    enum { UDP_HEADER = 8 };
    size_t capacity = packet_capacity(io, endpoint);

    if (endpoint->transport == TRANSPORT_UDP)
        length += UDP_HEADER;
    return capacity && length ? (unsigned)((length - 1) / capacity + 1) : 1;
}
