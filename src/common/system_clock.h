/* The system's clocks as numbers, and as text. 64 bits of nanoseconds last for 584 years; a double
 * has room for 104 days of them without loss. */
#pragma once

#include <stdint.h>
#include <time.h>

/* The time by CLOCK, such as CLOCK_PROCESS_CPUTIME_ID, in ns. */
static inline uint64_t system_clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

enum { SYSTEM_CLOCK_TEXT_SIZE = 40 };

/* AT as RFC 3339 has it, in local time: "2026-01-02T03:04:05+01:00". Returns TEXT. */
char *system_clock_text(time_t at, char text[SYSTEM_CLOCK_TEXT_SIZE]);

/* The time by CLOCK_MONOTONIC, which is never set, in ns. */
static inline uint64_t monotonic_ns(void)
{
    return system_clock_ns(CLOCK_MONOTONIC);
}

/* The same by its coarse reading, which is some milliseconds old and takes less time. */
static inline uint64_t monotonic_coarse_ns(void)
{
    return system_clock_ns(CLOCK_MONOTONIC_COARSE);
}

/* NS as system calls take it. */
static inline struct timespec system_clock_timespec(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000),
                             .tv_nsec = (long)(ns % 1000000000)};
}

/* The time by CLOCK_MONOTONIC in NS from now: until then a wait lasts. */
static inline struct timespec monotonic_after(uint64_t ns)
{
    return system_clock_timespec(monotonic_ns() + ns);
}
