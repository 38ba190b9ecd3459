#include "server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "common/address.h"
#include "server/datagram.h"
#include "server/spin.h"
#include "server/stream.h"

enum {
    EVENTS_AT_ONCE = 64,
    PORT_ATTEMPTS = 32, /* to find a port that is free on all addresses, TCP and UDP */
    LISTEN_BACKLOG = 1024,
    TURNS_BETWEEN_SIGNALS = 64, /* what letting them in costs, 0.2 us, is then 3 ns a call */
};

/* A socket that does not come and go: one that listens, or one for datagrams. */
struct fixed_socket {
    int fd;
    bool listens;
};

struct server {
    struct server_config config;
    struct service service;
    struct fixed_socket sockets[2 * SERVER_ADDRESSES_MAXIMUM];
    size_t socket_count;
    uint16_t port;
    int epoll;
    int spare; /* a descriptor to give up when there are no others */
    struct stream *streams;
    struct stream_scratch scratch;
    uint8_t datagram[DATAGRAM_MAXIMUM];
};

/* Sockets */

/* The port that FD, just bound to ADDRESS, has got. */
static uint16_t bound_port(int fd, struct sockaddr_storage *address)
{
    socklen_t length = sizeof *address;

    return getsockname(fd, (struct sockaddr *)address, &length) == 0 ? address_port(address) : 0;
}

static int watch(struct server *server, int operation, int fd, uint32_t events, void *owner)
{
    struct epoll_event event = {.events = events, .data.ptr = owner};

    return epoll_ctl(server->epoll, operation, fd, &event) == 0 ? 0 : -errno;
}

static int prepare_socket(int fd, const struct sockaddr_storage *address, int type)
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
    return type == SOCK_STREAM && listen(fd, LISTEN_BACKLOG) != 0 ? -errno : 0;
}

/* Add a socket at ADDRESS and the server's port, which the first one chooses where it is 0. */
static int add_socket(struct server *server, struct sockaddr_storage address, int type)
{
    struct fixed_socket *added = &server->sockets[server->socket_count];
    int code;

    address_set_port(&address, server->port);
    added->fd = socket(address.ss_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (added->fd < 0)
        return -errno;
    added->listens = type == SOCK_STREAM;
    server->socket_count++;
    code = prepare_socket(added->fd, &address, type);
    if (code)
        return code;
    server->port = bound_port(added->fd, &address);
    return watch(server, EPOLL_CTL_ADD, added->fd, EPOLLIN, added);
}

static void close_sockets(struct server *server)
{
    while (server->socket_count > 0)
        close(server->sockets[--server->socket_count].fd);
}

static int bind_all(struct server *server)
{
    int code = 0;

    server->port = server->config.port;
    for (size_t i = 0; i < server->config.address_count && code == 0; i++) {
        code = add_socket(server, server->config.addresses[i], SOCK_STREAM);
        if (code == 0)
            code = add_socket(server, server->config.addresses[i], SOCK_DGRAM);
    }
    return code;
}

/* A port that is free for one socket may not be for the next: then try another. */
static int bind_sockets(struct server *server, struct error *error)
{
    int code = bind_all(server);

    for (int i = 1; i < PORT_ATTEMPTS && code == -EADDRINUSE && server->config.port == 0; i++) {
        close_sockets(server);
        code = bind_all(server);
    }
    if (code)
        return error_set(error, code == -EADDRINUSE ? ERROR_USAGE : ERROR_FAILED, code,
                         "listening on port %u: %s; see --port and --bind", server->config.port,
                         strerror(-code));
    return 0;
}

static bool have_ipv6_loopback(const struct sockaddr_in6 *loopback)
{
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool have = fd >= 0 && bind(fd, (const struct sockaddr *)loopback, sizeof *loopback) == 0;

    if (fd >= 0)
        close(fd);
    return have;
}

static void add_loopback(struct server_config *config)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};

    memcpy(&config->addresses[config->address_count++], &v4, sizeof v4);
    if (have_ipv6_loopback(&v6))
        memcpy(&config->addresses[config->address_count++], &v6, sizeof v6);
}

/* Opening and closing */

static int fill_tree(struct server *server, struct error *error)
{
    server->service.tree = tree_open(geteuid(), getegid());
    if (!server->service.tree || tree_fill_default(server->service.tree) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the exported tree");
    return 0;
}

static int prepare_service(struct server *server, struct error *error)
{
    struct service *service = &server->service;

    server_inject_costs(server, true);
    if (server->config.service_times)
        service->service_times = calloc(SERVER_NFS_PROCEDURES, sizeof *service->service_times);
    if (server->config.service_times && !service->service_times)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the service times");
    return fill_tree(server, error);
}

static int open_epoll(struct server *server, struct error *error)
{
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (server->epoll < 0)
        return error_set(error, ERROR_FAILED, -errno, "epoll_create1: %s", strerror(errno));
    return 0;
}

int server_open(struct server **result, const struct server_config *config, struct error *error)
{
    struct server *server = calloc(1, sizeof *server);
    int code;

    if (!server)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the server");
    server->config = *config;
    server->epoll = server->spare = -1;
    if (server->config.address_count == 0)
        add_loopback(&server->config);
    code = prepare_service(server, error);
    if (code == 0)
        code = open_epoll(server, error);
    if (code == 0)
        code = bind_sockets(server, error);
    if (code) {
        server_close(server);
        return code;
    }
    spin_calibrate();
    *result = server;
    return 0;
}

uint16_t server_port(const struct server *server)
{
    return server->port;
}

static void drop_stream(struct server *server, struct stream *stream)
{
    if (stream->previous)
        stream->previous->next = stream->next;
    else
        server->streams = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    stream_close(stream);
}

void server_close(struct server *server)
{
    if (!server)
        return;
    while (server->streams)
        drop_stream(server, server->streams);
    close_sockets(server);
    if (server->epoll >= 0)
        close(server->epoll);
    if (server->spare >= 0)
        close(server->spare);
    tree_close(server->service.tree);
    free(server->service.service_times);
    free(server);
}

const struct service_time *server_service_time(const struct server *server, unsigned number)
{
    return server->service.service_times ? &server->service.service_times[number] : NULL;
}

void server_forget_service_times(struct server *server)
{
    if (server->service.service_times)
        memset(server->service.service_times, 0,
               SERVER_NFS_PROCEDURES * sizeof *server->service.service_times);
}

void server_inject_costs(struct server *server, bool on)
{
    static const uint64_t none[SERVER_NFS_PROCEDURES];

    server->service.cost_ns = on ? server->config.cost_ns : none;
}

/* Serving */

static void add_stream(struct server *server, int fd, const struct sockaddr_storage *peer)
{
    struct stream *stream = calloc(1, sizeof *stream);
    int one = 1;

    if (!stream) {
        close(fd);
        return;
    }
    stream->fd = fd;
    stream->peer = *peer;
    stream->next = server->streams;
    if (server->streams)
        server->streams->previous = stream;
    server->streams = stream;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (watch(server, EPOLL_CTL_ADD, fd, EPOLLIN, stream) != 0)
        drop_stream(server, stream);
}

/* Out of descriptors, a connection that waits would wake us for ever: give up the spare one to
 * accept it with, and close it. */
static void turn_away(struct server *server, int listener)
{
    int fd;

    close(server->spare);
    fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void accept_stream(struct server *server, int listener)
{
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    int fd = accept4(listener, (struct sockaddr *)&peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd >= 0)
        add_stream(server, fd, &peer);
    else if ((errno == EMFILE || errno == ENFILE) && server->spare >= 0)
        turn_away(server, listener);
}

static void serve_stream(struct server *server, struct stream *stream, uint32_t events)
{
    bool was_blocked = stream_is_blocked(stream);
    int code = was_blocked ? stream_writable(stream, &server->service, &server->scratch)
                           : stream_readable(stream, &server->service, &server->scratch);

    if (code == 0 && was_blocked && (events & (EPOLLERR | EPOLLHUP)) && stream_is_blocked(stream))
        code = -1;
    if (code == 0 && stream_is_blocked(stream) != was_blocked)
        code = watch(server, EPOLL_CTL_MOD, stream->fd, was_blocked ? EPOLLIN : EPOLLOUT, stream);
    if (code)
        drop_stream(server, stream);
}

static bool is_fixed(const struct server *server, const void *owner)
{
    return (const char *)owner >= (const char *)server->sockets &&
           (const char *)owner < (const char *)(server->sockets + server->socket_count);
}

static void serve_event(struct server *server, const struct epoll_event *event)
{
    if (is_fixed(server, event->data.ptr)) {
        const struct fixed_socket *fixed = event->data.ptr;

        if (fixed->listens)
            accept_stream(server, fixed->fd);
        else
            datagram_readable(fixed->fd, &server->service, server->datagram,
                              server->scratch.output);
    } else {
        serve_stream(server, event->data.ptr, event->events);
    }
}

/* epoll_pwait() lets signals in only when it has to wait, which under load it may never do. */
static void let_signals_in(const sigset_t *waiting)
{
    sigset_t working;

    sigprocmask(SIG_SETMASK, waiting, &working);
    sigprocmask(SIG_SETMASK, &working, NULL);
}

int server_run(struct server *server, const volatile sig_atomic_t *stop, struct error *error)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    sigset_t waiting;

    sigprocmask(SIG_BLOCK, NULL, &waiting);
    sigdelset(&waiting, SIGTERM);
    sigdelset(&waiting, SIGINT);
    sigdelset(&waiting, SIGUSR1);
    sigdelset(&waiting, SIGUSR2);
    for (unsigned turn = 1; !*stop; turn++) {
        int count = epoll_pwait(server->epoll, events, EVENTS_AT_ONCE, -1, &waiting);

        if (count < 0 && errno != EINTR)
            return error_set(error, ERROR_FAILED, -errno, "epoll_pwait: %s", strerror(errno));
        for (int i = 0; i < count; i++)
            serve_event(server, &events[i]);
        if (turn % TURNS_BETWEEN_SIGNALS == 0)
            let_signals_in(&waiting);
    }
    return 0;
}
