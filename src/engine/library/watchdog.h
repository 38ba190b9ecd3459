/* A watchdog for the sockets of libraries that do their own waiting. Over TCP, libtirpc restarts
 * its timeout with each byte, and libnfs receives as long as data come; neither notices Ctrl-C. A
 * thread checks the current calls every 50 ms or more often. It shuts a socket down if the call
 * takes too long, receives too many bytes (over TCP), or is no longer wanted; this ends any wait
 * for the socket. The watchdog costs each call two stores to memory. */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

#include "common/error.h"

enum watchdog_bite { WATCHDOG_CALM, WATCHDOG_TOO_LONG, WATCHDOG_TOO_MUCH, WATCHDOG_STOPPED };

/* Limits for each wait, from watchdog_begin() to watchdog_end(). */
struct watchdog_limits {
    /* Maximum time and, over TCP, maximum number of received bytes. Both are approximate, because
     * checks are up to 50 ms apart. */
    uint64_t time_ns, bytes;
    /* shut down at the next check if *STOP is not 0; NULL: never */
    const volatile sig_atomic_t *stop;
};

/* A watched socket. Zero it before its first use. It must not move until it is released. */
struct watchdog_watch {
    _Atomic uint64_t turns; /* number of waits begun plus waits ended: odd during a wait */
    _Atomic enum watchdog_bite bite;
    /* Members that the watchdog's mutex protects: */
    struct watchdog_watch *next,
        **link; /* list of all watched sockets; LINK is NULL if this socket is not watched */
    int fd;
    struct watchdog_limits limits;
    uint64_t seen_turns; /* TURNS of the wait that a check saw last */
    uint64_t seen_ns;    /* time when SEEN_TURNS was first seen */
    uint64_t seen_bytes; /* bytes received until SEEN_NS */
};

/* Watch the socket FD. Returns 0, or a negative errno with ERROR set. */
int watchdog_watch(struct watchdog_watch *watch, int fd, const struct watchdog_limits *limits,
                   struct error *error);

/* Stop watching WATCH's socket. Must be called before the socket is closed; may be called twice. */
void watchdog_release(struct watchdog_watch *watch);

/* Begin a wait for the peer; watchdog_end() ends it. */
static inline void watchdog_begin(struct watchdog_watch *watch)
{
    uint64_t turns = atomic_load_explicit(&watch->turns, memory_order_relaxed);

    atomic_store_explicit(&watch->turns, turns + 1, memory_order_relaxed);
}

static inline void watchdog_end(struct watchdog_watch *watch)
{
    watchdog_begin(watch);
}

/* Return why the socket was shut down; WATCHDOG_CALM: it was not. */
static inline enum watchdog_bite watchdog_bite(const struct watchdog_watch *watch)
{
    return atomic_load_explicit(&watch->bite, memory_order_relaxed);
}
