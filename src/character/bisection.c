#include "character/bisection.h"

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
