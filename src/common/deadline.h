/* When something must end: at a point in time that is made once and handed down, or as soon as a
 * signal asks for it. Every loop and wait that may last longer than 100 ms asks its deadline. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct deadline {
    uint64_t at_ns;                    /* on deadline_now_ns(); 0: there is no such time */
    const volatile sig_atomic_t *stop; /* not 0: end at once; NULL: never */
};

#define DEADLINE_NEVER UINT64_MAX /* what is left, where there is no time to end */

/* The clock of all deadlines, ns: CLOCK_MONOTONIC_RAW, unless a test has set another. Processes of
 * one machine have the same. */
extern uint64_t (*deadline_clock)(void);

static inline uint64_t deadline_now_ns(void)
{
    return deadline_clock();
}

/* Has a signal asked for the end? */
static inline bool deadline_is_stopped(const struct deadline *deadline)
{
    return deadline->stop && __atomic_load_n(deadline->stop, __ATOMIC_RELAXED);
}

/* Is the time over, or has a signal asked for the end? */
bool deadline_is_over(const struct deadline *deadline);

/* What is left of the time, ns: 0 if it is over, DEADLINE_NEVER without one. Signals change nothing
 * here. */
uint64_t deadline_left_ns(const struct deadline *deadline);

/* LIMIT_NS, or what is left if that is less. */
uint64_t deadline_at_most(const struct deadline *deadline, uint64_t limit_ns);

/* The same deadline (NULL: none), but NS from now at the latest. */
struct deadline deadline_within(const struct deadline *deadline, uint64_t ns);

/* The same deadline, but when one in PARTS parts of what is left now is over: for something that
 * must leave time for the rest. */
struct deadline deadline_part(const struct deadline *deadline, unsigned parts);

/* The same for half of what is left. */
static inline struct deadline deadline_half(const struct deadline *deadline)
{
    return deadline_part(deadline, 2);
}

/* Sleep for NS, or until the deadline. Returns 0 if it slept for NS, -ETIME at the deadline, or
 * -EINTR within a tenth of a second after a signal asked for the end. */
int deadline_sleep(const struct deadline *deadline, uint64_t ns);

/* Sleep for NS, whatever happens: for pauses of less than a tenth of a second. */
void deadline_pause(uint64_t ns);
