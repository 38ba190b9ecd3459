#include "engine/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/address.h"
#include "common/random.h"

/* Source ports that servers take as privileged, without those that well-known services live on
 * (as rpc.nfsd and mount.nfs do). */
enum { RESERVED_PORT_FIRST = 665, RESERVED_PORT_LAST = 1023 };

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

/* Bind FD to some free reserved port. -EACCES where the process may not, -EADDRINUSE where none is
 * free: the caller then goes on with an ephemeral port, and a server that insists will say so. */
static int bind_reserved_port(int fd, const struct endpoint *endpoint, unsigned start)
{
    const unsigned ports = RESERVED_PORT_LAST - RESERVED_PORT_FIRST + 1;
    struct endpoint local = {.address.ss_family = endpoint->address.ss_family};
    int one = 1;

    /* Ports of our own past connections, in TIME_WAIT, may be taken again. UDP has none, and would
     * bind two sockets to one port, of which only one then gets the replies to both. */
    if (endpoint->transport == TRANSPORT_TCP)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    for (unsigned i = 0; i < ports; i++) {
        address_set_port(&local.address, (uint16_t)(RESERVED_PORT_FIRST + (start + i) % ports));
        if (bind(fd, (struct sockaddr *)&local.address, address_length(&local.address)) == 0)
            return 0;
        if (errno != EADDRINUSE)
            return -errno;
    }
    return -EADDRINUSE;
}

/* Wait for a connection that is under way. */
static int finish_connecting(int fd, uint64_t timeout_ns)
{
    struct pollfd poller = {.fd = fd, .events = POLLOUT};
    uint64_t milliseconds = timeout_ns / 1000000 + 1;
    int code = 0;
    socklen_t length = sizeof code;
    int ready = poll(&poller, 1, milliseconds > INT32_MAX ? INT32_MAX : (int)milliseconds);

    if (ready < 0)
        return -errno;
    if (ready == 0)
        return -ETIMEDOUT;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &length);
    return -code;
}

static int connect_socket(int fd, const struct endpoint *endpoint)
{
    int one = 1;

    if (connect(fd, (const struct sockaddr *)&endpoint->address,
                address_length(&endpoint->address)) != 0) {
        int code = errno == EINPROGRESS ? finish_connecting(fd, endpoint->timeout_ns) : -errno;

        if (code)
            return code;
    }
    if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0)
        return -errno;
    if (endpoint->transport == TRANSPORT_TCP &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
        return -errno;
    return 0;
}

static int try_connect(const struct endpoint *endpoint, bool reserved, unsigned start, int *fd)
{
    int type = endpoint->transport == TRANSPORT_TCP ? SOCK_STREAM : SOCK_DGRAM;
    int code;

    *fd = socket(endpoint->address.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return -errno;
    if (reserved)
        bind_reserved_port(*fd, endpoint, start);
    code = connect_socket(*fd, endpoint);
    if (code)
        close(*fd);
    return code;
}

int endpoint_connect(const struct endpoint *endpoint, int *fd, struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];
    struct random random;
    int code = -EADDRNOTAVAIL;

    random_seed(&random, random_system_seed());
    /* A reserved port may be bound and yet its connection to this very server still be in
     * TIME_WAIT: another port is tried, at last an ephemeral one. */
    for (int attempt = 0; attempt < 8 && (code == -EADDRNOTAVAIL || code == -EADDRINUSE); attempt++)
        code = try_connect(endpoint, endpoint->reserved_port && attempt < 7,
                           random_below(&random, 1024), fd);
    if (code == -EINTR)
        return error_set(error, ERROR_UNREACHABLE, code, "interrupted while connecting to %s",
                         endpoint_describe(endpoint, name));
    if (code)
        return error_set(error, ERROR_UNREACHABLE, code, "connecting to %s: %s; is a server there?",
                         endpoint_describe(endpoint, name), strerror(-code));
    return 0;
}
