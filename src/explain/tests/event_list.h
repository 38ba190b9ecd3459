/* Builds a list of kernel events for tests. A thread's process number is its own number rounded
 * down to tens. Times are ns after START. */
#pragma once

#include "explain/kernel/kernel_event.h"

enum { START = 1000000 };

static struct kernel_event list[256];
static size_t count;

static inline struct kernel_event *add(uint64_t at, enum kernel_event_type type, uint32_t thread)
{
    struct kernel_event *event = &list[count++];

    *event = (struct kernel_event){
        .at_ns = START + at, .type = type, .thread = thread, .process = thread / 10 * 10};
    return event;
}

/* Add a wake-up of THREAD by the thread WAKER, or by an interrupt if WAKER is 0. */
static inline void wakes(uint64_t at, uint32_t waker, uint32_t thread)
{
    struct kernel_event *event = add(at, KERNEL_WOKEN, thread);

    event->other = waker;
    event->other_process = waker / 10 * 10;
}

static inline void runs(uint64_t at, uint32_t thread)
{
    add(at, KERNEL_SWITCHED_IN, thread);
}

static inline void sleeps(uint64_t at, uint32_t thread)
{
    add(at, KERNEL_SWITCHED_OUT, thread);
}

static inline void sends(uint64_t at, uint32_t thread, uint32_t xid)
{
    add(at, KERNEL_SEND_ENTERED, thread)->xid = xid;
}
