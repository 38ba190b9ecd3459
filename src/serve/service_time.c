#include "serve/service_time.h"

#include <math.h>
#include <stdbool.h>

#include "common/system_clock.h"
#include "measure/statistics/estimate.h"

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
    double below = 0, sum = 0; /* BELOW: calls in the buckets before bucket I */

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

static struct spin_clock used = {.ticks_per_ns = 1, .reading = 1};
#if defined(__x86_64__)
static bool counter_is_steady;

/* Does the processor report that its counter has a constant rate, at any clock frequency and in any
 * sleep state? (The invariant TSC of leaf 0x80000007.) */
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

uint64_t spin_ticks_between(const struct spin_clock *clock, uint64_t nanoseconds, uint64_t started)
{
    double ticks = (double)nanoseconds * clock->ticks_per_ns - clock->overhead -
                   (double)(started % clock->reading);

    return ticks > 0 ? (uint64_t)ticks : 0;
}

uint64_t spin_least_ns(const struct spin_clock *clock)
{
    return (uint64_t)ceil((clock->overhead + (double)clock->reading) / clock->ticks_per_ns);
}

void spin_for(uint64_t nanoseconds)
{
    uint64_t started = spin_ticks();
    uint64_t ticks = spin_ticks_between(&used, nanoseconds, started);

    while (spin_ticks() - started < ticks)
        ;
}

double spin_ticks_ns(uint64_t ticks)
{
    return (double)ticks / used.ticks_per_ns;
}

/* Measure the counter's rate, in ticks per ns, by the system's clock. */
static double measured_rate(void)
{
    enum { CALIBRATION_NS = 10 * 1000 * 1000 };
    uint64_t started_ns = now_ns(), started = spin_ticks(), elapsed;

    do
        elapsed = now_ns() - started_ns;
    while (elapsed < CALIBRATION_NS);
    return (double)(spin_ticks() - started) / (double)elapsed;
}

static void read_once(uint64_t nanoseconds)
{
    (void)nanoseconds;
    (void)spin_ticks();
}

/* Return the ticks of a call of FUNCTION with NANOSECONDS: the median over many batches of each
 * batch's mean, so that interrupted batches do not count. */
static double measured_ticks(void (*function)(uint64_t), uint64_t nanoseconds)
{
    enum { BATCHES = 401, CALLS = 20 };
    double ticks[BATCHES];

    for (int i = 0; i < BATCHES; i++) {
        uint64_t started = spin_ticks();

        for (int j = 0; j < CALLS; j++)
            function(nanoseconds);
        ticks[i] = (double)(spin_ticks() - started) / CALLS;
    }
    return estimate_median(ticks, BATCHES);
}

const struct spin_clock *spin_calibrate(void)
{
    enum { TRIED_NS = 200 };

#if defined(__x86_64__)
    counter_is_steady = has_steady_counter();
#endif
    used = (struct spin_clock){.ticks_per_ns = measured_rate()};
    used.reading = (uint64_t)fmax(1, round(measured_ticks(read_once, 0)));
    used.overhead = fmax(0, measured_ticks(spin_for, TRIED_NS) - TRIED_NS * used.ticks_per_ns);
    return &used;
}
