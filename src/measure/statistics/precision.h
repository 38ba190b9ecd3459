/* When to stop: a run without COUNT continues until its intervals are narrow enough.
 *
 * Stopping at the first round with a narrow enough interval would select intervals that are narrow
 * by chance. So the looks are few and fixed beforehand: after PRECISION_FIRST_LOOK rounds, then
 * whenever the number of rounds has grown by half. The decision depends on the interval's width,
 * and hardly on the estimate (Chow and Robbins, "On the Asymptotic Theory of Fixed-Width Sequential
 * Confidence Intervals for the Mean", 1965). Coverage: tests/unit/test_precision.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "measure/statistics/estimate.h"

enum { PRECISION_FIRST_LOOK = 100 /* number of rounds before the first look */ };

/* An interval is narrow enough if its width is at most SHARE of its estimate, or at most NS; a
 * criterion of 0 is ignored. */
struct precision {
    double share, ns;
};

/* The default criteria of a run without COUNT. */
#define PRECISION_USUAL ((struct precision){.share = 0.01, .ns = 20})

/* Return true if the intervals are looked at after ROUND rounds. */
bool precision_is_look(size_t round);

bool precision_reached(const struct precision *precision, const struct interval *interval);

/* Return true if the run ends at this look: if all intervals were narrow enough at an earlier look,
 * even if they no longer are. NARROW says whether they are narrow enough at this look; this affects
 * only later looks. *WAS_NARROW keeps the state between looks; set it to false first. */
bool precision_ends(bool *was_narrow, bool narrow);
