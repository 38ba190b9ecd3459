#include "serve/service_time.h"

#include <math.h>
#include <stdbool.h>

#include "common/system_clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

#define TRIM 0.1

void service_time_record(struct service_time *time, double nanoseconds)
{
    histogram_record(&time->histogram, nanoseconds);
    time->sums[histogram_bucket(nanoseconds)] += nanoseconds;
}

void service_time_add(struct service_time *sum, const struct service_time *added)
{
    histogram_add(&sum->histogram, &added->histogram);
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        sum->sums[i] += added->sums[i];
}

double service_time_trimmed_mean(const struct service_time *time)
{
    double first = TRIM * (double)time->histogram.count;
    double last = (double)time->histogram.count - first;
    double below = 0, sum = 0; /* calls before the current bucket */

    for (size_t i = 0; i < HISTOGRAM_BUCKETS && below < last; i++) {
        double count = (double)time->histogram.buckets[i];
        double kept = fmin(below + count, last) - fmax(below, first);

        if (kept > 0)
            sum += kept * time->sums[i] / count;
        below += count;
    }
    return last > first ? sum / (last - first) : 0;
}

/* The clock */

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
