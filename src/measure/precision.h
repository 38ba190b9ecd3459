/* When is enough? A run without a number of calls goes on until its intervals are narrow.
 *
 * Looking after each round and stopping at the first narrow interval would favour the rounds in
 * which it is narrow by chance. So the looks are few and fixed beforehand: after
 * PRECISION_FIRST_LOOK rounds, and then each time that there are half as many again; and what is
 * looked at is the interval's width, hardly the estimate (Chow and Robbins, "On the Asymptotic
 * Theory of Fixed-Width Sequential Confidence Intervals for the Mean", 1965). How often the
 * interval then covers the truth is measured in tests/unit/test_precision.c. */
#ifndef NFSBENCH_MEASURE_PRECISION_H
#define NFSBENCH_MEASURE_PRECISION_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/estimate.h"

enum { PRECISION_FIRST_LOOK = 100 /* rounds */ };

/* An interval is narrow enough when its width is at most SHARE of its estimate, or NS; whichever is
 * 0 is not looked at. */
struct precision {
    double share, ns;
};

/* Is there a look after ROUND rounds? */
bool precision_is_look(size_t round);

/* Is the interval narrow enough? */
bool precision_reached(const struct precision *precision, const struct interval *interval);

/* At a look, at which all intervals are NARROW, or not: is this the end? *WAS_NARROW carries over
 * from look to look; it is false before the first. */
bool precision_ends(bool *was_narrow, bool narrow);

#endif
