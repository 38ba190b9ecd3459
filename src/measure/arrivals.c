#include "measure/arrivals.h"

#include <math.h>

void arrivals_begin(struct arrivals *arrivals, enum arrivals_kind kind, double gap, double first,
                    uint64_t seed)
{
    *arrivals = (struct arrivals){.kind = kind, .gap = gap, .first = first};
    random_seed(&arrivals->random, seed);
}

/* An exponential variable of mean 1, by inversion of a uniform one in (0, 1]. */
static double exponential(struct random *random)
{
    return -log((double)((random_next(random) >> 11) + 1) * 0x1p-53);
}

double arrivals_next(struct arrivals *arrivals)
{
    uint64_t whole;

    if (arrivals->kind == ARRIVALS_CONSTANT)
        return arrivals->first + (double)arrivals->count++ * arrivals->gap;
    arrivals->fraction += arrivals->gap * exponential(&arrivals->random);
    whole = (uint64_t)arrivals->fraction;
    arrivals->whole += whole;
    arrivals->fraction -= (double)whole;
    return (double)arrivals->whole + arrivals->fraction;
}

double arrivals_share_reached(enum arrivals_kind kind, double rate, double seen, uint64_t calls)
{
    double chance = kind == ARRIVALS_POISSON && calls > 0 ? 2 / sqrt((double)calls) : 0;

    return seen / rate * (1 + chance);
}
