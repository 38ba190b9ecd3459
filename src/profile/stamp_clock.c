#include "profile/stamp_clock.h"

#include <math.h>
#include <stdbool.h>

/* shortest tick that is looked for, ns, because timers interrupt at most 10,000 times a second */
#define TICK_MINIMUM_NS 1e5

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static void add_exact(struct stamp_clock *clock, uint64_t gap)
{
    uint64_t common = common_divisor(clock->common, gap);

    if (common != clock->common)
        clock->kinds = 0;
    clock->common = common;
    clock->kinds |= UINT64_C(1) << (gap / common) % 64;
}

/* Refine the approximate tick with GAP, the ns between two timestamps. While the clock is being
 * adjusted, ticks differ in length, so that gaps have no common divisor. */
static void add_about(struct stamp_clock *clock, double gap)
{
    enum { STEPS_MAXIMUM = 4 };
    const double tolerance = 0.1;
    double tick = clock->steps > 0 ? clock->sum / clock->steps : INFINITY;
    double steps = round(gap / tick);

    if (gap < (1 - tolerance) * tick) {
        clock->sum = gap;
        clock->steps = 1;
        clock->fits = 1;
        clock->misfits = 0;
    } else if (steps <= STEPS_MAXIMUM && fabs(gap - steps * tick) <= tolerance * tick) {
        clock->sum += gap;
        clock->steps += steps;
        clock->fits++;
    } else if (steps <= STEPS_MAXIMUM) {
        clock->misfits++;
    }
}

void stamp_clock_add_packet(struct stamp_clock *clock, uint64_t time)
{
    uint64_t gap = time > clock->last ? time - clock->last : clock->last - time;

    if (clock->last && gap > 0) {
        clock->gaps++;
        add_exact(clock, gap);
        add_about(clock, (double)gap);
    }
    clock->last = time;
}

void stamp_clock_add_latency(struct stamp_clock *clock, uint64_t ns)
{
    clock->latencies++;
    clock->zeros += ns == 0;
}

static double three_digits(double value)
{
    double unit = pow(10, floor(log10(value)) - 2);

    return round(value / unit) * unit;
}

/* The gaps' common divisor is the tick if it is large, and the gaps have several lengths. Gaps of
 * one length prove nothing alone, because calls may come at equal intervals. They are enough if
 * many replies have the same timestamp as their call. Then an approximate tick is enough, too. */
double stamp_clock_tick(const struct stamp_clock *clock)
{
    enum { FEW = 5, MANY = 20, KINDS = 3, MISFITS_SHARE = 20 };
    bool has_zeros = clock->zeros > 0 && clock->zeros >= clock->latencies / 10;
    bool is_exact = (has_zeros && clock->gaps >= FEW) ||
                    (clock->gaps >= MANY && __builtin_popcountll(clock->kinds) >= KINDS);
    bool is_about =
        has_zeros && clock->fits >= FEW && clock->misfits * MISFITS_SHARE <= clock->fits;

    if (is_exact && (double)clock->common >= TICK_MINIMUM_NS)
        return (double)clock->common;
    if (is_about && clock->sum / clock->steps >= TICK_MINIMUM_NS)
        return three_digits(clock->sum / clock->steps);
    return 0;
}

double stamp_clock_round(double ns, double tick)
{
    return tick > 0 ? round(ns / tick) * tick : ns;
}
