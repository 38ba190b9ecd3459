#include "measure/clock.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/system_clock.h"
#include "measure/statistics/estimate.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

enum {
    CALIBRATION_NS = 10 * 1000 * 1000,
    PAIRS = 20, /* attempts to read both clocks at once; the shortest is used */
    COST_SAMPLES = 20000,
    COST_BATCH = 200,
    STEP_BRACKET_NS = 1000,
};

static uint64_t read_monotonic(void)
{
    return monotonic_ns();
}

uint64_t clock_raw_ns(void)
{
    return system_clock_ns(CLOCK_MONOTONIC_RAW);
}

#if defined(__x86_64__)

enum { COUNTER_IS_TSC = true };

static uint64_t counter_start(void)
{
    return __rdtsc();
}

static uint64_t counter_stop(void)
{
    unsigned processor;

    return __rdtscp(&processor);
}

/* Invariant TSC: Intel SDM volume 3, 18.17.1; CPUID 80000007H, EDX bit 8. */
static bool counter_is_constant(void)
{
    unsigned eax, ebx, ecx, edx;

    return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & (1u << 8));
}

#elif defined(__aarch64__)

enum { COUNTER_IS_TSC = false };

static uint64_t counter_start(void)
{
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

/* The barrier keeps the processor from reading the counter before the timed work is done. */
static uint64_t counter_stop(void)
{
    uint64_t ticks;

    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}

/* The generic timer runs at a constant rate: Arm ARM, D11.1.2. */
static bool counter_is_constant(void)
{
    return true;
}

#else

enum { COUNTER_IS_TSC = false };

static uint64_t counter_start(void)
{
    return clock_raw_ns();
}

static uint64_t counter_stop(void)
{
    return clock_raw_ns();
}

static bool counter_is_constant(void)
{
    return false;
}

#endif

struct edge {
    uint64_t ticks, raw_ns;
};

/* Read both clocks as nearly simultaneously as possible. Each attempt reads the counter between two
 * readings of CLOCK_MONOTONIC_RAW; the attempt with the shortest time between these is used. */
static struct edge read_edge(const struct clock *clock)
{
    struct edge best = {0, 0};
    uint64_t tightest = UINT64_MAX;

    for (int i = 0; i < PAIRS; i++) {
        uint64_t before = clock_raw_ns();
        uint64_t ticks = clock->stop();
        uint64_t after = clock_raw_ns();

        if (after - before >= tightest)
            continue;
        tightest = after - before;
        best = (struct edge){ticks, before + tightest / 2};
    }
    return best;
}

static double calibrate(const struct clock *clock)
{
    struct edge first = read_edge(clock), last;

    while (clock_raw_ns() < first.raw_ns + CALIBRATION_NS)
        ;
    last = read_edge(clock);
    return (double)(last.raw_ns - first.raw_ns) / (double)(last.ticks - first.ticks);
}

static void note_cost(struct clock *clock, uint64_t ticks)
{
    double ns = (double)ticks * clock->ns_per_tick;
    size_t bucket = ns < 2 ? 0 : (size_t)ilogb(ns);

    clock->cost_log2[bucket < CLOCK_COST_LOG2 ? bucket : CLOCK_COST_LOG2 - 1]++;
}

/* Return the ticks that an empty timed window measures: the median of batch means, which interrupts
 * in a few batches do not affect. Counts the windows in CLOCK's cost_log2. */
static double measure_cost(struct clock *clock)
{
    double batches[COST_SAMPLES / COST_BATCH];
    const size_t count = sizeof batches / sizeof batches[0];

    for (size_t i = 0; i < count; i++) {
        uint64_t windows[COST_BATCH];
        double sum = 0;

        for (int j = 0; j < COST_BATCH; j++) {
            uint64_t started = clock->start();

            windows[j] = clock->stop() - started;
        }
        for (int j = 0; j < COST_BATCH; j++) {
            sum += (double)windows[j];
            note_cost(clock, windows[j]);
        }
        batches[i] = sum / COST_BATCH;
    }
    return estimate_median(batches, count);
}

static int choose_clock(struct clock *clock, const char *name, struct error *error)
{
    if (strcmp(name, "monotonic") == 0) {
        clock->start = clock->stop = read_monotonic;
    } else if (strcmp(name, "monotonic-raw") == 0) {
        clock->start = clock->stop = clock_raw_ns;
    } else if (strcmp(name, "tsc") != 0) {
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "unknown --clock '%.60s'; expected tsc, monotonic or monotonic-raw", name);
    } else if (!counter_is_constant()) {
        return error_set(
            error, ERROR_FAILED, -ENOTSUP,
            "the rate of this processor's counter is not constant; use --clock monotonic-raw");
    } else {
        clock->start = counter_start;
        clock->stop = counter_stop;
        clock->tsc = COUNTER_IS_TSC;
        clock->ns_per_tick = calibrate(clock);
    }
    return 0;
}

int clock_open(struct clock *clock, const char *name, struct error *error)
{
    const char *best = counter_is_constant() ? "tsc" : "monotonic-raw";
    int code;

    *clock = (struct clock){.name = name ? name : best, .ns_per_tick = 1};
    code = choose_clock(clock, clock->name, error);
    if (code)
        return code;
    clock->cost_ticks = measure_cost(clock);
    clock->cost_ns = clock->cost_ticks * clock->ns_per_tick;
    return 0;
}

double clock_sample_ns(const struct clock *clock, uint64_t ticks)
{
    double net = (double)ticks - clock->cost_ticks;

    return net > 0 ? net * clock->ns_per_tick : 0;
}

void clock_samples_ns(const struct clock *clock, const uint64_t *ticks, double *ns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ns[i] = clock_sample_ns(clock, ticks[i]);
}

void clock_check_edge(struct clock_check *check, const struct clock *clock, bool begin)
{
    struct edge edge = read_edge(clock);

    if (begin) {
        *check = (struct clock_check){.first_ticks = edge.ticks, .first_raw_ns = edge.raw_ns};
        check->step_ticks = edge.ticks;
        check->step_raw_ns = edge.raw_ns;
    }
    check->last_ticks = edge.ticks;
    check->last_raw_ns = edge.raw_ns;
}

void clock_check_step(struct clock_check *check, const struct clock *clock)
{
    uint64_t before = clock_raw_ns();
    uint64_t ticks = clock->stop();
    uint64_t after = clock_raw_ns(), raw = before + (after - before) / 2;
    double by_clock, by_raw;

    if (after - before > STEP_BRACKET_NS)
        return;
    by_clock = (double)(ticks - check->step_ticks) * clock->ns_per_tick;
    by_raw = (double)(raw - check->step_raw_ns);
    check->largest_step_ns = fmax(check->largest_step_ns, fabs(by_clock - by_raw));
    check->step_ticks = ticks;
    check->step_raw_ns = raw;
}

double clock_check_ppm(const struct clock_check *check, const struct clock *clock)
{
    double ticks = (double)(check->last_ticks - check->first_ticks);
    double raw = (double)(check->last_raw_ns - check->first_raw_ns);

    return raw > 0 ? (ticks * clock->ns_per_tick / raw - 1) * 1e6 : 0;
}
