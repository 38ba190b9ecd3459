/* When to stop: a run without a number of calls continues until its intervals are narrow enough.
 *
 * Stopping at the first round after which the interval is narrow enough would select intervals that
 * are narrow by chance. So the number of looks is small and fixed beforehand: after
 * PRECISION_FIRST_LOOK rounds, and then whenever their number has grown by half; and the decision
 * depends on the interval's width, and hardly on the estimate (Chow and Robbins, "On the Asymptotic
 * Theory of Fixed-Width Sequential Confidence Intervals for the Mean", 1965).
 * tests/unit/test_precision.c measures the coverage that results. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "measure/statistics/estimate.h"

enum { PRECISION_FIRST_LOOK = 100 /* rounds */ };

/* An interval is narrow enough if its width is at most SHARE of its estimate, or at most NS; a
 * criterion of 0 is ignored. */
struct precision {
    double share, ns;
};

/* What a run without a number of calls has by default. */
#define PRECISION_USUAL ((struct precision){.share = 0.01, .ns = 20})

/* Is there a look after ROUND rounds? */
bool precision_is_look(size_t round);

/* Is the interval narrow enough? */
bool precision_reached(const struct precision *precision, const struct interval *interval);

/* Does the run end at this look? NARROW says whether all intervals are narrow enough. *WAS_NARROW
 * keeps the state between looks; set it to false before the first. */
bool precision_ends(bool *was_narrow, bool narrow);
