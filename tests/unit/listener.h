/* A socket on loopback, on a port that the system chooses. listener_serve() adds a thread that
 * serves one connection after the other. */
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "engine/channel/endpoint.h"
#include "test.h"

struct listener {
    struct endpoint endpoint; /* address of the socket */
    int fd;
    pthread_t thread; /* thread of listener_serve(); 0: no thread */
    void (*serve)(int fd);
    atomic_bool over; /* true: SERVE and the thread must return */
};

/* Bind the socket of LISTENER; over TCP, listen with BACKLOG. */
static inline void listener_open(struct listener *listener, enum transport transport, int backlog)
{
    struct sockaddr_in loopback = {.sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof listener->endpoint.address;

    memset(listener, 0, sizeof *listener);
    listener->endpoint.transport = transport;
    listener->fd = socket(AF_INET, transport == TRANSPORT_TCP ? SOCK_STREAM : SOCK_DGRAM, 0);
    assert_int_equal(bind(listener->fd, (struct sockaddr *)&loopback, sizeof loopback), 0);
    if (transport == TRANSPORT_TCP)
        assert_int_equal(listen(listener->fd, backlog), 0);
    getsockname(listener->fd, (struct sockaddr *)&listener->endpoint.address, &length);
}

/* Return whether FD becomes readable within a millisecond. */
static inline bool listener_is_readable(int fd)
{
    struct pollfd poller = {.fd = fd, .events = POLLIN};

    return poll(&poller, 1, 1) == 1;
}

static inline void *listener_run(void *argument)
{
    struct listener *listener = argument;

    while (!atomic_load(&listener->over)) {
        int fd;

        if (!listener_is_readable(listener->fd))
            continue;
        fd = accept(listener->fd, NULL, NULL);
        listener->serve(fd);
        close(fd);
    }
    return NULL;
}

static inline void listener_serve(struct listener *listener, void (*serve)(int fd))
{
    listener->serve = serve;
    assert_int_equal(pthread_create(&listener->thread, NULL, listener_run, listener), 0);
}

static inline void listener_close(struct listener *listener)
{
    atomic_store(&listener->over, true);
    if (listener->thread)
        pthread_join(listener->thread, NULL);
    close(listener->fd);
}
