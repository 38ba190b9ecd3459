#include "character/granularity.h"

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
