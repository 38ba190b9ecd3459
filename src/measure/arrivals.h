/* When an open loop intends to send its calls. */
#ifndef NFSBENCH_MEASURE_ARRIVALS_H
#define NFSBENCH_MEASURE_ARRIVALS_H

#include <stdint.h>

#include "common/random.h"

enum arrivals_kind {
    ARRIVALS_CONSTANT, /* evenly spaced */
    ARRIVALS_POISSON,  /* each independent of the others: exponential gaps */
};

/* Times are in the unit of the gap that the caller gave, ticks or ns. The whole and the fraction
 * are kept apart, so that no rounding errors add up over a long run. */
struct arrivals {
    enum arrivals_kind kind;
    double gap;
    double first; /* of the constant ones */
    uint64_t count;
    uint64_t whole; /* of the last of the random ones */
    double fraction;
    struct random random;
};

/* Begin the arrivals of one client. GAP, over 0, is the mean time between two of this client's
 * calls. Constant ones come at FIRST, FIRST + GAP and so on: of n clients that share a rate, the
 * i-th begins at i x GAP / n, and together they are evenly spaced. Random ones begin with a random
 * gap, and those of several clients with seeds of their own are together random again; FIRST is
 * not looked at. */
void arrivals_begin(struct arrivals *arrivals, enum arrivals_kind kind, double gap, double first,
                    uint64_t seed);

/* When the next call is to be sent, since the start; never less than the one before. Takes some
 * ten ns. Exact to a relative 2^-52, however many came before. */
double arrivals_next(struct arrivals *arrivals);

/* What share of the RATE that was asked for was SEEN over so many CALLS, in the most favourable
 * case: random arrivals have a rate of their own, known to one part in the root of their number,
 * and are given two of these. */
double arrivals_share_reached(enum arrivals_kind kind, double rate, double seen, uint64_t calls);

#endif
