#include "characterize/judgement.h"

#include <math.h>

#include "common/append.h"

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

/* Return true if all costs from index FIRST on are more than KNEE_LEAST times LEAST, and the
 * interval of cost FIRST is above that of LEAST. */
static bool stays_above(const struct interval *costs, size_t first, size_t count,
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
        if (stays_above(costs, i, count, least))
            return i;
        if (costs[i].estimate < least->estimate)
            least = &costs[i];
    }
    return 0;
}

bool knee_is_excluded(const struct interval *costs, size_t count)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < count; i++) {
        least = fmin(least, costs[i].low);
        most = fmax(most, costs[i].high);
    }
    return most <= KNEE_LEAST * least;
}

/* Thresholds. A call is slow if it takes at least SLOW_LEAST times as long as the quick call. The
 * quick call waits partly if its wait is at least PART_LEAST times the slow call's time, and wholly
 * if its wait is at least MOST times the slow call's time. */
static const double SLOW_LEAST = 3, PART_LEAST = 0.2, MOST = 0.6;

enum waiting waiting_classify(const struct interval *wait, double slow, double quick)
{
    if (!(slow >= SLOW_LEAST * quick))
        return WAITING_UNKNOWN;
    if (wait->low >= MOST * slow)
        return WAITING_WHOLLY;
    if (wait->low >= PART_LEAST * slow)
        return WAITING_PARTLY;
    return wait->high < PART_LEAST * slow ? WAITING_NOT : WAITING_UNCLEAR;
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

void bisection_begin(struct bisection *bisection, uint64_t first, uint64_t maximum, double width)
{
    *bisection = (struct bisection){.first = first, .maximum = maximum, .width = width};
}

static uint64_t next_upwards(const struct bisection *bisection)
{
    uint64_t next = bisection->holds ? 2 * bisection->holds : bisection->first;

    if (bisection->holds >= bisection->maximum)
        return 0;
    return next < bisection->maximum ? next : bisection->maximum;
}

uint64_t bisection_next(const struct bisection *bisection)
{
    uint64_t gap = bisection->fails - bisection->holds;

    if (bisection->fails == 0)
        return next_upwards(bisection);
    if (gap <= 1 || (double)gap <= bisection->width * (double)bisection->fails)
        return 0;
    return bisection->holds + gap / 2;
}

void bisection_note(struct bisection *bisection, uint64_t number, bool holds)
{
    if (holds && number > bisection->holds)
        bisection->holds = number;
    if (!holds && (bisection->fails == 0 || number < bisection->fails))
        bisection->fails = number;
}

/* Requests that came twice */

const char *const duplicate_names[DUPLICATE_FATES] = {
    [DUPLICATE_KNOWN] = "recognised",
    [DUPLICATE_AGAIN] = "carried out again",
    [DUPLICATE_UNANSWERED] = "not answered",
    [DUPLICATE_MIXED] = "recognised for some procedures only",
    [DUPLICATE_OTHER] = "not known",
};

enum duplicate_fate duplicate_classify(int status, int when_done)
{
    return status == 0 ? DUPLICATE_KNOWN : status == when_done ? DUPLICATE_AGAIN : DUPLICATE_OTHER;
}

enum duplicate_fate duplicates_common(const enum duplicate_fate *fates, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (fates[i] != fates[0])
            return DUPLICATE_MIXED;
    return fates[0];
}

static void append_ops_with_fate(enum duplicate_fate fate, const enum duplicate_fate *fates,
                                 const char *const *ops, size_t count,
                                 char text[DUPLICATES_TEXT_SIZE])
{
    char with_it[DUPLICATES_TEXT_SIZE] = "";

    for (size_t i = 0; i < count; i++)
        if (fates[i] == fate)
            append_item(with_it, sizeof with_it, "%s", ops[i]);
    if (*with_it)
        append(text, DUPLICATES_TEXT_SIZE, "%s%s: %s", *text ? "; " : "", duplicate_names[fate],
               with_it);
}

const char *duplicates_describe(const enum duplicate_fate *fates, const char *const *ops,
                                size_t count, char text[DUPLICATES_TEXT_SIZE])
{
    text[0] = '\0';
    for (enum duplicate_fate fate = 0; fate < DUPLICATE_FATES; fate++)
        append_ops_with_fate(fate, fates, ops, count, text);
    return text;
}
