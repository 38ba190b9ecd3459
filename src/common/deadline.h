/* A deadline: something must end at a point in time, or as soon as a signal requests it. A deadline
 * is made once and passed down. A run's loops and waits that may take over 100 ms check it. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct deadline {
    uint64_t at_ns; /* when to end, by deadline_now_ns(); 0 if there is no time limit */
    const volatile sig_atomic_t *stop; /* *STOP not 0: end at once. NULL: no signal is watched */
};

#define DEADLINE_NEVER UINT64_MAX /* deadline_left_ns() without a time limit */

/* The clock of all deadlines, ns: CLOCK_MONOTONIC_RAW, unless a test has set another. All processes
 * of a machine share it. */
extern uint64_t (*deadline_clock)(void);

static inline uint64_t deadline_now_ns(void)
{
    return deadline_clock();
}

/* Return whether a signal has requested the end. */
static inline bool deadline_is_stopped(const struct deadline *deadline)
{
    return deadline->stop && __atomic_load_n(deadline->stop, __ATOMIC_RELAXED);
}

/* Return whether the time is over or a signal has requested the end. */
bool deadline_is_over(const struct deadline *deadline);

/* Return the time left, ns: 0 if it is over, DEADLINE_NEVER without a limit. Ignores signals. */
uint64_t deadline_left_ns(const struct deadline *deadline);

/* Return LIMIT_NS or the time left, whichever is less. */
uint64_t deadline_at_most(const struct deadline *deadline, uint64_t limit_ns);

/* Return DEADLINE (may be NULL), but at most NS from now. */
struct deadline deadline_within(const struct deadline *deadline, uint64_t ns);

/* Return DEADLINE with 1 / PARTS of the time left now; without a limit, DEADLINE itself. */
struct deadline deadline_part(const struct deadline *deadline, unsigned parts);

static inline struct deadline deadline_half(const struct deadline *deadline)
{
    return deadline_part(deadline, 2);
}

/* Sleep for NS, or until DEADLINE. Returns 0 after NS, -ETIME at the deadline, or -EINTR at most
 * 100 ms after a signal has requested the end. */
int deadline_sleep(const struct deadline *deadline, uint64_t ns);

/* Sleep for NS (less than 100 ms), or until a signal is handled, without checking a deadline. */
void deadline_pause(uint64_t ns);
