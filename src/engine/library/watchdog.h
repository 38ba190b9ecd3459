/* A watchdog over the sockets of libraries that do their own waiting: over TCP libtirpc counts its
 * timeout from each byte on, and libnfs receives for as long as anything comes; neither knows of
 * Ctrl-C. A thread checks the calls under way about twenty times a second. If one takes longer than
 * allowed, receives more bytes than allowed (over TCP), or is no longer wanted, its socket is shut
 * down, which ends any wait for it. Being watched costs a call two stores to memory. */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

#include "common/error.h"

enum watchdog_bite { WATCHDOG_CALM, WATCHDOG_TOO_LONG, WATCHDOG_TOO_MUCH, WATCHDOG_STOPPED };

/* The limits between watchdog_begin() and watchdog_end(). */
struct watchdog_limits {
    uint64_t time_ns, bytes; /* the time to take and the bytes to receive; approximate, as looks are
                              * 50 ms apart */
    const volatile sig_atomic_t *stop; /* not 0: shut down at once; may be NULL */
};

/* A watched socket. Zero it before its first use. It must not move until it is released. */
struct watchdog_watch {
    _Atomic uint64_t turns; /* begun plus ended: odd while something is under way */
    _Atomic enum watchdog_bite bite;
    /* Only the watchdog uses these. */
    struct watchdog_watch *next, **link; /* in its list; LINK is NULL when not watched */
    int fd;
    struct watchdog_limits limits;
    uint64_t seen_turns; /* at the last look */
    uint64_t seen_ns;    /* when they were first seen */
    uint64_t seen_bytes; /* bytes received by then */
};

/* Watch FD. 0, or a negative errno with ERROR set. */
int watchdog_watch(struct watchdog_watch *watch, int fd, const struct watchdog_limits *limits,
                   struct error *error);

/* Stop watching. Call it before FD is closed; calling it twice is allowed. */
void watchdog_release(struct watchdog_watch *watch);

/* A wait for the peer begins; watchdog_end() says that it has ended. */
static inline void watchdog_begin(struct watchdog_watch *watch)
{
    uint64_t turns = atomic_load_explicit(&watch->turns, memory_order_relaxed);

    atomic_store_explicit(&watch->turns, turns + 1, memory_order_relaxed);
}

static inline void watchdog_end(struct watchdog_watch *watch)
{
    watchdog_begin(watch);
}

/* Why the connection was shut down, or WATCHDOG_CALM. */
static inline enum watchdog_bite watchdog_bite(const struct watchdog_watch *watch)
{
    return atomic_load_explicit(&watch->bite, memory_order_relaxed);
}
