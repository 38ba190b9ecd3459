#include "serve/transport/sockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/address.h"
#include "common/receive_window.h"
#include "serve/transport/datagram.h"

enum {
    PORT_ATTEMPTS = 32, /* attempts to find a port that is free on all addresses, for TCP and UDP */
    LISTEN_BACKLOG = 4096,
};

static uint16_t bound_port(int fd, struct sockaddr_storage *address)
{
    socklen_t length = sizeof *address;

    return getsockname(fd, (struct sockaddr *)address, &length) == 0 ? address_port(address) : 0;
}

static int prepare_socket(int fd, const struct sockaddr_storage *address, int type,
                          uint32_t receive_window)
{
    int one = 1;

    if (address->ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (type == SOCK_STREAM)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    else
        datagram_learn_destination(fd, address->ss_family);
    if (bind(fd, (const struct sockaddr *)address, address_length(address)) != 0)
        return -errno;
    if (type == SOCK_STREAM && receive_window)
        receive_window_set(fd, receive_window);
    return type == SOCK_STREAM && listen(fd, LISTEN_BACKLOG) != 0 ? -errno : 0;
}

/* Add a socket for address INDEX of PLAN. If the port in SOCKETS is 0, the kernel chooses a port,
 * which replaces the 0. */
static int add_socket(struct sockets *sockets, const struct sockets_plan *plan, size_t index,
                      int type)
{
    struct sockaddr_storage address = plan->addresses[index];
    struct watched *added = &sockets->list[sockets->count];
    int code;

    address_set_port(&address, sockets->port);
    added->without_costs = plan->without_costs[index];
    added->kind = type == SOCK_STREAM ? WATCHED_LISTENER : WATCHED_DATAGRAMS;
    added->fd = socket(address.ss_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (added->fd < 0)
        return -errno;
    sockets->count++;
    code = prepare_socket(added->fd, &address, type, plan->receive_window);
    if (code == 0)
        sockets->port = bound_port(added->fd, &address);
    return code;
}

void sockets_close(struct sockets *sockets)
{
    while (sockets->count > 0)
        close(sockets->list[--sockets->count].fd);
}

static int bind_all(struct sockets *sockets, const struct sockets_plan *plan)
{
    int code = 0;

    sockets->port = plan->port;
    for (size_t i = 0; i < plan->address_count && code == 0; i++) {
        code = add_socket(sockets, plan, i, SOCK_STREAM);
        if (code == 0)
            code = add_socket(sockets, plan, i, SOCK_DGRAM);
    }
    return code;
}

static bool have_ipv6_loopback(const struct sockaddr_in6 *loopback)
{
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool have = fd >= 0 && bind(fd, (const struct sockaddr *)loopback, sizeof *loopback) == 0;

    if (fd >= 0)
        close(fd);
    return have;
}

static void add_loopback(struct sockets_plan *plan)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};

    memcpy(&plan->addresses[plan->address_count++], &v4, sizeof v4);
    if (have_ipv6_loopback(&v6))
        memcpy(&plan->addresses[plan->address_count++], &v6, sizeof v6);
}

/* Try again if the port that the kernel chose for the first socket is in use for another socket. */
int sockets_open(struct sockets *sockets, const struct sockets_plan *wanted, struct error *error)
{
    struct sockets_plan plan = *wanted;
    int code;

    sockets->count = 0;
    if (plan.address_count == 0)
        add_loopback(&plan);
    code = bind_all(sockets, &plan);
    for (int i = 1; i < PORT_ATTEMPTS && code == -EADDRINUSE && plan.port == 0; i++) {
        sockets_close(sockets);
        code = bind_all(sockets, &plan);
    }
    if (code == 0)
        return 0;
    sockets_close(sockets);
    return error_set(error, code == -EADDRINUSE ? ERROR_USAGE : ERROR_FAILED, code,
                     "listening on port %u: %s; see --port and --bind", plan.port, strerror(-code));
}
