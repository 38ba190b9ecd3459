#include "serve/server.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/deadline.h"
#include "rpc/echo.h"
#include "serve/transport/connected_hosts.h"
#include "serve/transport/datagram.h"

enum { PAUSE_NS = 10 * 1000 * 1000 }; /* pause when accept4() lacks resources, in ns */

/* A socket, and the state of its thread. */
struct echo_peer {
    int fd;
    int number;     /* result of connected_hosts_add() for the connection; -1: a UDP socket */
    uint8_t *bytes; /* the message, which becomes the answer */
    size_t used;    /* bytes at the start of BYTES that may be non-zero */
};

static struct connected_hosts connected = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Clear PEER's bytes after the first LENGTH, because they may be from earlier messages. */
static void blank_the_rest(struct echo_peer *peer, size_t length)
{
    if (peer->used > length)
        memset(peer->bytes + length, 0, peer->used - length);
    peer->used = length;
}

/* TCP */

/* Receive one message. Returns false at the end of the connection, or if the message is invalid or
 * more bytes follow it. */
static bool receive_message(struct echo_peer *peer, struct echo_header *header)
{
    size_t filled = 0;
    int code = -EAGAIN;

    while (code == -EAGAIN || (code == 0 && filled < header->length)) {
        ssize_t got = recv(peer->fd, peer->bytes + filled, ECHO_MAXIMUM - filled, 0);

        if (got <= 0)
            return false;
        filled += (size_t)got;
        code = echo_header_load(header, peer->bytes, filled, ECHO_MAXIMUM);
    }
    blank_the_rest(peer, filled);
    return code == 0 && filled == header->length;
}

static bool send_answer(const struct echo_peer *peer, size_t length)
{
    const uint8_t *at = peer->bytes;

    echo_answer_mark(peer->bytes);
    while (length > 0) {
        ssize_t sent = send(peer->fd, at, length, MSG_NOSIGNAL);

        if (sent <= 0)
            return false;
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

static void *serve_connection(void *context)
{
    struct echo_peer *peer = context;
    struct echo_header header;

    while (receive_message(peer, &header) && send_answer(peer, header.answer))
        ;
    connected_hosts_remove(&connected, peer->number);
    close(peer->fd);
    free(peer->bytes);
    free(peer);
    return NULL;
}

/* UDP */

static bool may_answer(const struct datagram *datagram, const struct echo_header *header)
{
    return header->answer <= header->length || connected_hosts_has(&connected, &datagram->peer);
}

static void *serve_datagrams(void *context)
{
    struct echo_peer *peer = context;

    for (;;) {
        struct datagram datagram;
        struct echo_header header;
        ssize_t got = datagram_receive(peer->fd, 0, peer->bytes, &datagram);

        if (got < 0)
            continue; /* the error may be due to an earlier answer (ICMP), or to a long datagram */
        blank_the_rest(peer, (size_t)got);
        if (echo_header_load(&header, peer->bytes, (size_t)got, ECHO_DATAGRAM_MAXIMUM) != 0 ||
            header.length != (size_t)got || !may_answer(&datagram, &header))
            continue;
        echo_answer_mark(peer->bytes);
        datagram.bytes.iov_len = header.answer;
        (void)!sendmsg(peer->fd, &datagram.envelope, MSG_NOSIGNAL);
    }
    return NULL;
}

/* Threads */

static int start_thread(void *(*run)(void *), void *context)
{
    pthread_attr_t detached;
    pthread_t thread;
    int code = pthread_attr_init(&detached);

    if (code)
        return -code;
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    code = pthread_create(&thread, &detached, run, context);
    pthread_attr_destroy(&detached);
    return -code;
}

/* Start a thread that runs RUN for FD, with a buffer of ROOM bytes. NUMBER: see echo_peer. */
static int start_peer(int fd, int number, void *(*run)(void *), size_t room)
{
    struct echo_peer *peer = calloc(1, sizeof *peer);
    int code = -ENOMEM;

    if (peer) {
        peer->fd = fd;
        peer->number = number;
        peer->bytes = calloc(1, room);
        if (peer->bytes)
            code = start_thread(run, peer);
        if (code == 0)
            return 0;
        free(peer->bytes);
    }
    free(peer);
    return code;
}

static void take_connection(int fd, const struct sockaddr_storage *address)
{
    int one = 1, number = connected_hosts_add(&connected, address);

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    /* The thread has no timeout, so the kernel must find dead peers. */
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    if (number >= 0 && start_peer(fd, number, serve_connection, ECHO_MAXIMUM) == 0)
        return;
    if (number >= 0)
        connected_hosts_remove(&connected, number);
    close(fd);
}

static void *accept_connections(void *context)
{
    const struct watched *listener = context;

    for (;;) {
        struct sockaddr_storage address;
        socklen_t length = sizeof address;
        int fd = accept4(listener->fd, (struct sockaddr *)&address, &length, SOCK_CLOEXEC);

        if (fd >= 0)
            take_connection(fd, &address);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
            deadline_pause(PAUSE_NS);
    }
    return NULL;
}

static int start_socket(const struct watched *socket)
{
    if (fcntl(socket->fd, F_SETFL, fcntl(socket->fd, F_GETFL) & ~O_NONBLOCK) < 0)
        return -errno;
    if (socket->kind == WATCHED_LISTENER)
        return start_thread(accept_connections, (void *)(uintptr_t)socket);
    return start_peer(socket->fd, -1, serve_datagrams, DATAGRAM_MAXIMUM);
}

int echo_start(const struct sockets *sockets, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < sockets->count && code == 0; i++)
        code = start_socket(&sockets->list[i]);
    return code ? error_set(error, ERROR_FAILED, code, "starting the echo's threads: %s",
                            strerror(-code))
                : 0;
}
