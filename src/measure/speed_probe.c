#include "measure/speed_probe.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "measure/clock.h"
#include "measure/statistics/estimate.h"

/* Each loop takes about 2 us and is timed twice. The shorter time counts, to avoid interrupts. */
enum { ADDITIONS = 3000, MULTIPLICATIONS = 2000, REPEATS = 2 };

enum { PROBES_LEAST = 20 };

/* Hides a value from the compiler, which could otherwise compute the loop's result in advance. */
#define HIDE(value) __asm__ volatile("" : "+r"(value))

static double time_additions(void)
{
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, step = 12345;
    uint64_t began = clock_raw_ns();

    HIDE(step);
    for (int i = 0; i < ADDITIONS; i++) {
        a += step;
        b += step;
        c += step;
        d += step;
        e += step;
        f += step;
        g += step;
        h += step;
        __asm__ volatile(""
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
    }
    return (double)(clock_raw_ns() - began);
}

static double time_chain(void)
{
    uint64_t product = 3, factor = 0x9e3779b97f4a7c15;
    uint64_t began = clock_raw_ns();

    HIDE(factor);
    for (int i = 0; i < MULTIPLICATIONS; i++) {
        product *= factor;
        HIDE(product);
    }
    return (double)(clock_raw_ns() - began);
}

void speed_probe_take(struct speed_probe *probe)
{
    double additions = INFINITY, chain = INFINITY;
    size_t at = probe->taken;

    for (int i = 0; i < REPEATS; i++) {
        additions = fmin(additions, time_additions());
        chain = fmin(chain, time_chain());
    }
    if (at >= SPEED_PROBE_ROUNDS) /* this factor spreads the positions of replaced probes evenly */
        at = (size_t)((uint64_t)at * 0x9e3779b97f4a7c15 >> 32) % SPEED_PROBE_ROUNDS;
    probe->additions[at] = additions;
    probe->multiplications[at] = chain;
    probe->taken++;
}

static size_t kept(const struct speed_probe *probe)
{
    return !probe ? 0 : probe->taken < SPEED_PROBE_ROUNDS ? probe->taken : SPEED_PROBE_ROUNDS;
}

double speed_probe_shared(const struct speed_probe *probe)
{
    double sorted[SPEED_PROBE_ROUNDS], quickest;
    size_t n = kept(probe), slow = 0;

    if (n < PROBES_LEAST)
        return 0;
    for (size_t i = 0; i < n; i++)
        sorted[i] =
            probe->multiplications[i] > 0 ? probe->additions[i] / probe->multiplications[i] : 1;
    estimate_sort(sorted, n);
    quickest = estimate_quantile(sorted, n, 0.05);
    for (size_t i = 0; i < n; i++)
        slow += sorted[i] > SPEED_PROBE_SLOW * quickest;
    return (double)slow / (double)n;
}

static double median_of(const double *times, size_t n)
{
    double copy[SPEED_PROBE_ROUNDS];

    memcpy(copy, times, n * sizeof *copy);
    return estimate_median(copy, n);
}

struct core_speed speed_probe_levels(const struct speed_probe *probe)
{
    size_t n = kept(probe);

    if (n < PROBES_LEAST)
        return (struct core_speed){NAN, NAN};
    return (struct core_speed){median_of(probe->additions, n),
                               median_of(probe->multiplications, n)};
}
