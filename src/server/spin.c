#include "server/service_time.h"

#include <stdbool.h>

#include "common/system_clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

enum { CALIBRATION_NS = 10 * 1000 * 1000 };

static double ticks_per_ns = 1;
#if defined(__x86_64__)
static bool counter_is_steady;

/* Does the processor report that its counter has a constant rate, whatever the clock frequency and
 * the sleep state? (The invariant TSC of leaf 0x80000007.) */
static bool has_steady_counter(void)
{
    enum { POWER_LEAF = 0x80000007, INVARIANT_TSC = 1 << 8 };
    unsigned eax, ebx, ecx, edx;

    return __get_cpuid(POWER_LEAF, &eax, &ebx, &ecx, &edx) && (edx & INVARIANT_TSC);
}
#endif

static uint64_t now_ns(void)
{
    return system_clock_ns(CLOCK_MONOTONIC_RAW);
}

uint64_t spin_ticks(void)
{
#if defined(__x86_64__)
    if (counter_is_steady)
        return __rdtsc();
#endif
    return now_ns();
}

void spin_calibrate(void)
{
    uint64_t started_ns, started, elapsed;

#if defined(__x86_64__)
    counter_is_steady = has_steady_counter();
#endif
    started_ns = now_ns();
    started = spin_ticks();
    do
        elapsed = now_ns() - started_ns;
    while (elapsed < CALIBRATION_NS);
    ticks_per_ns = (double)(spin_ticks() - started) / (double)elapsed;
}

void spin_for(uint64_t nanoseconds)
{
    uint64_t started = spin_ticks();
    uint64_t ticks = (uint64_t)((double)nanoseconds * ticks_per_ns);

    while (spin_ticks() - started < ticks)
        ;
}

double spin_ticks_ns(uint64_t ticks)
{
    return (double)ticks / ticks_per_ns;
}
