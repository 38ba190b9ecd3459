/* When and why a thread started to run, from the kernel's events. Pure. */
#pragma once

#include <stdint.h>

#include "explain/kernel_event.h"

/* Events in order of time. */
struct event_window {
    const struct kernel_event *first, *end;
    uint32_t client_thread, server_process;
};

struct thread_start {
    uint64_t woken, runs; /* 0: it did not */
    uint32_t waker;       /* the server's thread that woke it; 0: another cause */
};

/* How THREAD, which slept or waited for a processor at FROM, started to run before UNTIL. A thread
 * that loses its processor without having been woken was already running, so its return is not a
 * start. But a thread woken while it is going to sleep leaves the processor after its wake-up. */
struct thread_start thread_start_find(struct event_window window, uint32_t thread, uint64_t from,
                                      uint64_t until);
