/* A new attempt begins after each pause, whether the port refuses connections or drops packets.
 * Times are simulated. */
#include <errno.h>
#include <unistd.h>

#include "listener.h"
#include "outage/attempts.h"

enum { PAUSE = 10, PATIENCE = 20000 };

static struct listener listener;
static struct attempts attempts;
static int failure;

static unsigned under_way(void)
{
    struct pollfd pollers[ATTEMPTS_MAXIMUM];

    return (unsigned)attempts_poll(&attempts, pollers);
}

/* Wait, at the simulated time NOW, until an attempt has connected. Returns its socket, or -1. */
static int await_socket(uint64_t now)
{
    int fd = -1;

    for (int tries = 0; fd < 0 && tries < PATIENCE; tries++) {
        fd = attempts_check(&attempts, &listener.endpoint, now, &failure);
        poll(NULL, 0, fd < 0);
    }
    return fd;
}

TEST_CASE(a_port_that_swallows_is_tried_again_after_each_pause)
{
    struct endpoint first;
    struct error error;
    int taken, fd;

    listener_open(&listener, TRANSPORT_TCP, 0);
    first = listener.endpoint;
    first.timeout_ns = 10000000000;
    /* this connection occupies the backlog */
    assert_int_equal(endpoint_connect(&first, &taken, &error), 0);
    attempts_open(&attempts, ATTEMPTS_MINIMUM, PAUSE);
    for (uint64_t now = 100; now < 100 + 6 * PAUSE; now++)
        assert_int_equal(attempts_check(&attempts, &listener.endpoint, now, &failure), -1);
    assert_int_equal(under_way(), ATTEMPTS_MINIMUM); /* more attempts than these began */
    close(accept(listener.fd, NULL, NULL));
    fd = attempts_check(&attempts, &listener.endpoint, 100 + 6 * PAUSE, &failure);
    fd = fd < 0 ? await_socket(100 + 6 * PAUSE) : fd;
    assert_true(fd >= 0);
    attempts_stop(&attempts);
    assert_int_equal(under_way(), 0);
    close(fd);
    close(taken);
    listener_close(&listener);
}

TEST_CASE(a_port_that_refuses_is_tried_again_after_each_pause)
{
    struct listener closed;
    int fd;

    listener_open(&closed, TRANSPORT_TCP, 1);
    listener = closed;
    listener_close(&closed);
    attempts_open(&attempts, ATTEMPTS_MINIMUM, PAUSE);
    for (uint64_t i = 0; i < 3; i++) {
        failure = 0;
        fd = attempts_check(&attempts, &listener.endpoint, 100 + i * PAUSE, &failure);
        for (int tries = 0; failure == 0 && tries < PATIENCE; tries++) {
            fd = attempts_check(&attempts, &listener.endpoint, 100 + i * PAUSE, &failure);
            poll(NULL, 0, 1);
        }
        assert_all((fd, -1), (failure, -ECONNREFUSED), (under_way(), 0));
    }
}

TEST_GROUP(NULL, NULL)
