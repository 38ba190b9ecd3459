/* The watchdog ends only calls that take too long, receive too much or are no longer wanted. No
 * time is measured: if a wait does not end, the test's own time limit ends it. */

#include <sys/socket.h>

#include "engine/library/watchdog.h"
#include "listener.h"

#define HOUR_NS UINT64_C(3600000000000)

enum { SOON_NS = 20 * 1000 * 1000, SEVERAL_LOOKS_MS = 300, MUCH = 64 * 1024 };

static int near, far; /* sockets at the two ends of a connection */
static struct watchdog_watch watch;
static struct error error;

static void connect_ends(void)
{
    struct listener listener;

    listener_open(&listener, TRANSPORT_TCP, 1);
    near = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(
        connect(near, (struct sockaddr *)&listener.endpoint.address, sizeof(struct sockaddr_in)),
        0);
    far = accept(listener.fd, NULL, NULL);
    assert_true(far >= 0);
    listener_close(&listener);
}

static void begin_watching(const struct watchdog_limits *limits)
{
    connect_ends();
    assert_int_equal(watchdog_watch(&watch, near, limits, &error), 0);
}

static void end_watching(void)
{
    watchdog_release(&watch);
    watchdog_release(&watch);
    close(near);
    close(far);
}

static void read_to_the_end(void)
{
    static char bytes[MUCH];

    while (recv(near, bytes, sizeof bytes, 0) > 0)
        ;
}

TEST_CASE(too_much)
{
    static const char bytes[MUCH];
    int code = 0;

    begin_watching(&(struct watchdog_limits){.time_ns = HOUR_NS, .bytes = MUCH});
    watchdog_begin(&watch);
    while (code >= 0 && watchdog_bite(&watch) == WATCHDOG_CALM) {
        char taken[MUCH];

        code = (int)send(far, bytes, sizeof bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (code < 0 && errno == EAGAIN)
            code = 0;
        recv(near, taken, sizeof taken, MSG_DONTWAIT);
    }
    read_to_the_end();
    assert_int_equal(watchdog_bite(&watch), WATCHDOG_TOO_MUCH);
    end_watching();
}

TEST_CASE(no_longer_wanted)
{
    static volatile sig_atomic_t stop;

    begin_watching(&(struct watchdog_limits){.time_ns = HOUR_NS, .bytes = MUCH, .stop = &stop});
    watchdog_begin(&watch);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    read_to_the_end();
    assert_int_equal(watchdog_bite(&watch), WATCHDOG_STOPPED);
    end_watching();
}

/* No socket is shut down between waits, or during a wait that is shorter than the limit. */
TEST_CASE(calm)
{
    begin_watching(&(struct watchdog_limits){.time_ns = SOON_NS, .bytes = 0});
    for (int i = 0; i < SEVERAL_LOOKS_MS; i++) {
        watchdog_begin(&watch);
        watchdog_end(&watch);
        poll(NULL, 0, 1);
    }
    assert_all((watchdog_bite(&watch), WATCHDOG_CALM), (send(far, "x", 1, MSG_NOSIGNAL), 1));
    read(near, &(char){0}, 1);
    end_watching();
}

/* After its release, a socket is not shut down. */
TEST_CASE(released)
{
    begin_watching(&(struct watchdog_limits){.time_ns = SOON_NS, .bytes = 0});
    watchdog_begin(&watch);
    watchdog_release(&watch);
    poll(NULL, 0, SEVERAL_LOOKS_MS);
    assert_int_equal(watchdog_bite(&watch), WATCHDOG_CALM);
    end_watching();
}

TEST_CASE(many)
{
    enum { MANY = 20 };
    static struct watchdog_watch watches[MANY];
    static int nears[MANY], fars[MANY];
    const struct watchdog_limits limits = {.time_ns = SOON_NS, .bytes = MUCH};

    for (int i = 0; i < MANY; i++) {
        connect_ends();
        nears[i] = near;
        fars[i] = far;
        assert_int_equal(watchdog_watch(&watches[i], near, &limits, &error), 0);
    }
    for (int i = 1; i < MANY; i += 2)
        watchdog_release(&watches[i]);
    for (int i = 0; i < MANY; i++)
        watchdog_begin(&watches[i]);
    for (int i = 0; i < MANY; i += 2) {
        near = nears[i];
        read_to_the_end();
    }
    for (int i = 0; i < MANY; i++) {
        watchdog_end(&watches[i]);
        assert_int_equal(watchdog_bite(&watches[i]), i % 2 ? WATCHDOG_CALM : WATCHDOG_TOO_LONG);
        watchdog_release(&watches[i]);
        close(nears[i]);
        close(fars[i]);
    }
}
