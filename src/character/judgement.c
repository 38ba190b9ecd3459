#include "character/judgement.h"

#include <stdbool.h>

enum gain gain_classify(const struct interval *ratio)
{
    if (ratio->low >= GAIN_LEAST)
        return GAIN_SOME;
    return ratio->high < GAIN_LEAST ? GAIN_NONE : GAIN_UNKNOWN;
}

enum sync_cost sync_cost_classify(const struct interval *us)
{
    if (us->high < SYNC_LEAST_US)
        return SYNC_COST_TOO_SMALL;
    return us->low >= SYNC_LEAST_US ? SYNC_COST_PLAUSIBLE : SYNC_COST_UNCLEAR;
}

/* Do all costs from FIRST on stay above LEAST? */
static bool is_for_good(const struct interval *costs, size_t first, size_t count,
                        const struct interval *least)
{
    for (size_t i = first; i < count; i++)
        if (!(costs[i].estimate > KNEE_LEAST * least->estimate))
            return false;
    return costs[first].low > least->high;
}

size_t knee_find(const struct interval *costs, size_t count)
{
    const struct interval *least = costs;

    for (size_t i = 1; i < count; i++) {
        if (is_for_good(costs, i, count, least))
            return i;
        if (costs[i].estimate < least->estimate)
            least = &costs[i];
    }
    return 0;
}

/* Below the first the slow call is not slow; the others are shares of the slow call's time. */
static const double SLOW_LEAST = 3, PART_LEAST = 0.2, MOST = 0.6;

enum waiting waiting_classify(const struct interval *wait, double slow, double quick)
{
    if (!(slow >= SLOW_LEAST * quick))
        return WAITING_UNKNOWN;
    if (wait->estimate >= MOST * slow)
        return WAITING_WHOLLY;
    return wait->estimate >= PART_LEAST * slow ? WAITING_PARTLY : WAITING_NOT;
}

size_t granularity_moves(const uint64_t *times, size_t count)
{
    size_t moves = 0;

    for (size_t i = 1; i < count; i++)
        moves += times[i] != times[i - 1];
    return moves;
}

double granularity_least_step(const uint64_t *times, size_t count)
{
    uint64_t least = 0;

    for (size_t i = 1; i < count; i++) {
        uint64_t step = times[i] > times[i - 1] ? times[i] - times[i - 1] : times[i - 1] - times[i];

        if (step > 0 && (least == 0 || step < least))
            least = step;
    }
    return (double)least;
}

uint64_t granularity_unit(const uint64_t *times, size_t count)
{
    uint64_t unit = 1000000000;

    if (granularity_moves(times, count) == 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        while (times[i] % unit != 0)
            unit /= 10;
    return unit;
}
