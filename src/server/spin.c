#include "server/spin.h"

#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { CALIBRATION_NS = 10 * 1000 * 1000 };

static double ticks_per_ns = 1;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t now_ticks(void)
{
#if defined(__x86_64__)
    return __rdtsc();
#else
    return now_ns();
#endif
}

void spin_calibrate(void)
{
    uint64_t started_ns = now_ns(), started = now_ticks(), elapsed;

    do
        elapsed = now_ns() - started_ns;
    while (elapsed < CALIBRATION_NS);
    ticks_per_ns = (double)(now_ticks() - started) / (double)elapsed;
}

void spin_for(uint64_t nanoseconds)
{
    uint64_t started = now_ticks();
    uint64_t ticks = (uint64_t)((double)nanoseconds * ticks_per_ns);

    while (now_ticks() - started < ticks)
        ;
}
