/* The system's clocks as numbers of ns, and as text. 64 bits can hold 584 years in ns. A double
 * holds 104 days in ns without loss. */
#pragma once

#include <stdint.h>
#include <time.h>

/* Return the time of CLOCK, such as CLOCK_PROCESS_CPUTIME_ID, in ns. */
static inline uint64_t system_clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

enum { SYSTEM_CLOCK_TEXT_SIZE = 40 };

/* Write AT to TEXT in local time, as RFC 3339: "2026-01-02T03:04:05+01:00". Returns TEXT. */
char *system_clock_text(time_t at, char text[SYSTEM_CLOCK_TEXT_SIZE]);

/* Return CLOCK_MONOTONIC in ns. Nobody can set this clock. */
static inline uint64_t monotonic_ns(void)
{
    return system_clock_ns(CLOCK_MONOTONIC);
}

/* Return CLOCK_MONOTONIC_COARSE in ns. It is up to some milliseconds old, but fast to read. */
static inline uint64_t monotonic_coarse_ns(void)
{
    return system_clock_ns(CLOCK_MONOTONIC_COARSE);
}

static inline struct timespec system_clock_timespec(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000),
                             .tv_nsec = (long)(ns % 1000000000)};
}

/* Return the time of CLOCK_MONOTONIC at which a wait of NS from now ends. */
static inline struct timespec monotonic_after(uint64_t ns)
{
    return system_clock_timespec(monotonic_ns() + ns);
}
