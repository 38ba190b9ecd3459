#include "engine/channel/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/address.h"
#include "common/descriptors.h"
#include "common/random.h"
#include "common/receive_window.h"
#include "measure/clock.h"

/* Ports that servers accept as privileged; the range that Linux's NFS client uses. */
enum { RESERVED_PORT_FIRST = 665, RESERVED_PORT_LAST = 1023 };

enum { WAIT_MAXIMUM_NS = 100000000, ATTEMPTS = 8, NONE_FREE_NS = 1000 * 1000 * 1000 };

const char *transport_name(enum transport transport)
{
    return transport == TRANSPORT_TCP ? "TCP" : "UDP";
}

const char *endpoint_describe(const struct endpoint *endpoint, char buffer[ENDPOINT_NAME_SIZE])
{
    char host[ADDRESS_TEXT_SIZE];

    snprintf(buffer, ENDPOINT_NAME_SIZE, "%s port %u over %s",
             address_text(&endpoint->address, host), address_port(&endpoint->address),
             transport_name(endpoint->transport));
    return buffer;
}

/* Bind FD to source PORT. Over TCP, ports of our own past connections (TIME_WAIT) are allowed. Over
 * UDP, ports in use are not allowed, because one of the two sockets would get all replies. */
static int bind_port(int fd, const struct endpoint *endpoint, unsigned port)
{
    struct endpoint local = {.address.ss_family = endpoint->address.ss_family};
    int one = 1;

    if (endpoint->transport == TRANSPORT_TCP)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    address_set_port(&local.address, (uint16_t)port);
    return bind(fd, (struct sockaddr *)&local.address, address_length(&local.address)) == 0
               ? 0
               : -errno;
}

/* Bind FD to a free reserved port, trying from START on. Returns -EACCES if the process may not use
 * reserved ports, -EADDRINUSE if none is free. The caller then uses an ephemeral port, which a
 * server that requires a reserved one will refuse. */
static int bind_reserved_port(int fd, const struct endpoint *endpoint, unsigned start)
{
    const unsigned ports = RESERVED_PORT_LAST - RESERVED_PORT_FIRST + 1;
    int code = -EADDRINUSE;

    for (unsigned i = 0; i < ports && code == -EADDRINUSE; i++)
        code = bind_port(fd, endpoint, RESERVED_PORT_FIRST + (start + i) % ports);
    return code;
}

static int await_connection(int fd, const struct endpoint *endpoint)
{
    struct pollfd poller = {.fd = fd, .events = POLLOUT};
    const struct deadline until = deadline_within(&endpoint->deadline, endpoint->timeout_ns);
    int ready = 0;

    /* Each wait is short, because a signal just before the wait does not interrupt it. */
    while (ready == 0 && !deadline_is_over(&until)) {
        ready = poll(&poller, 1, (int)(deadline_at_most(&until, WAIT_MAXIMUM_NS) / 1000000) + 1);
        if (ready < 0 && errno != EINTR)
            return -errno;
        ready = ready > 0;
    }
    if (!ready)
        return deadline_is_stopped(&until) ? -EINTR : -ETIMEDOUT;
    return 0;
}

enum source { SOURCE_LAST, SOURCE_RESERVED, SOURCE_ANY };

/* Bind FD to a source port. If no reserved port can be used, use an ephemeral one. Returns 0, or
 * -EADDRNOTAVAIL if SOURCE_LAST's port can't be bound. Over TCP, bind() chooses the ephemeral port.
 * connect() might choose a port that connections to other hosts use or used. The next connection
 * could then not bind this port again. */
static int bind_source(int fd, const struct endpoint *endpoint, enum source source, unsigned start)
{
    if (source == SOURCE_LAST)
        return bind_port(fd, endpoint, endpoint->source_port) == 0 ? 0 : -EADDRNOTAVAIL;
    if (source == SOURCE_RESERVED && bind_reserved_port(fd, endpoint, start) == 0)
        return 0;
    if (endpoint->transport == TRANSPORT_TCP)
        bind_port(fd, endpoint, 0);
    return 0;
}

/* Begin to connect *FD, a new non-blocking socket, bound by bind_source() with SOURCE and START.
 * Returns 0, -EINPROGRESS, or another negative errno; after another errno, *FD is closed. */
static int try_connect(const struct endpoint *endpoint, enum source source, unsigned start, int *fd)
{
    int type = endpoint->transport == TRANSPORT_TCP ? SOCK_STREAM : SOCK_DGRAM;
    int code;

    *fd = socket(endpoint->address.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return -errno;
    if (endpoint->receive_window && endpoint->transport == TRANSPORT_TCP)
        receive_window_set(*fd, endpoint->receive_window);
    code = bind_source(*fd, endpoint, source, start);
    if (code == 0 && connect(*fd, (const struct sockaddr *)&endpoint->address,
                             address_length(&endpoint->address)) != 0)
        code = -errno;
    if (code && code != -EINPROGRESS)
        close(*fd);
    return code;
}

static int refuse_files(const struct endpoint *endpoint, int code, struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    return error_set(error, ERROR_FAILED, code,
                     "connecting to %s: %s (%s); this process may have %llu files open: raise the "
                     "limit ('ulimit -n'), or lower --clients or --connections",
                     endpoint_describe(endpoint, name), strerror(-code),
                     code == -EMFILE ? "EMFILE" : "ENFILE", descriptors_limit());
}

static bool port_was_taken(int code)
{
    return code == -EADDRNOTAVAIL || code == -EADDRINUSE;
}

/* Try several source ports, because a port can be bound, but not used, while a connection from it
 * to this server exists or is in TIME_WAIT. The last attempt uses an ephemeral port. If no reserved
 * port worked, skip reserved ports for a second: a load may have many connections. */
static int connect_from_some_port(const struct endpoint *endpoint, int *fd)
{
    static _Atomic uint64_t none_until_ns; /* end of skipping reserved ports, on clock_raw_ns() */
    bool reserved = endpoint->reserved_port && clock_raw_ns() >= atomic_load(&none_until_ns);
    struct random random;
    int code = deadline_is_stopped(&endpoint->deadline) ? -EINTR : -EADDRNOTAVAIL;

    if (endpoint->source_port)
        code = try_connect(endpoint, SOURCE_LAST, 0, fd);
    random_seed(&random, random_system_seed());
    for (int attempt = 0; attempt < ATTEMPTS && port_was_taken(code); attempt++) {
        if (reserved && attempt == ATTEMPTS - 1)
            atomic_store(&none_until_ns, clock_raw_ns() + NONE_FREE_NS);
        code =
            try_connect(endpoint, reserved && attempt < ATTEMPTS - 1 ? SOURCE_RESERVED : SOURCE_ANY,
                        random_below(&random, 1024), fd);
    }
    return code;
}

static void remember_source_port(struct endpoint *endpoint, int fd)
{
    struct sockaddr_storage local;
    socklen_t length = sizeof local;

    if (endpoint->transport == TRANSPORT_TCP &&
        getsockname(fd, (struct sockaddr *)&local, &length) == 0)
        endpoint->source_port = address_port(&local);
}

int endpoint_begin(const struct endpoint *endpoint, int *fd)
{
    int code = connect_from_some_port(endpoint, fd);

    return code == -EINPROGRESS ? 0 : code;
}

int endpoint_complete(struct endpoint *endpoint, int fd)
{
    int code = 0, one = 1;
    socklen_t length = sizeof code;

    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &length) != 0)
        return -errno;
    if (code)
        return -code;
    if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0)
        return -errno;
    if (endpoint->transport == TRANSPORT_TCP &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
        return -errno;
    remember_source_port(endpoint, fd);
    return 0;
}

static int connect_and_wait(struct endpoint *endpoint, int *fd)
{
    int code = connect_from_some_port(endpoint, fd);

    if (code && code != -EINPROGRESS)
        return code;
    if (code)
        code = await_connection(*fd, endpoint);
    if (code == 0)
        code = endpoint_complete(endpoint, *fd);
    if (code)
        close(*fd);
    return code;
}

int endpoint_connect(struct endpoint *endpoint, int *fd, struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];
    int code = connect_and_wait(endpoint, fd);

    if (code == -EINTR)
        return error_set(error, ERROR_FAILED, code, "interrupted while connecting to %s",
                         endpoint_describe(endpoint, name));
    if (code == -EMFILE || code == -ENFILE)
        return refuse_files(endpoint, code, error);
    if (code)
        return error_set(error, ERROR_UNREACHABLE, code, "connecting to %s: %s; is a server there?",
                         endpoint_describe(endpoint, name), strerror(-code));
    return 0;
}
