/* How long a warm-up is, and when its level is steady. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    WARMUP_WINDOW = 5,    /* rounds, whose levels are compared with those of the window before */
    WARMUP_MAXIMUM = 100, /* rounds */
};

/* The level of a series in a window: the median and the median absolute deviation of BLOCKS, the
 * levels of its blocks. */
struct warmup_level {
    double median, spread;
    bool steady; /* in this window or an earlier one */
};

struct warmup_level warmup_level_of(const double blocks[WARMUP_WINDOW]);

/* Has each of SERIES series been steady in some window, NOW at the latest: changed by no more than
 * a small share or than the noise of its blocks? Of many series, hardly ever all are in the same.
 */
bool warmup_is_steady(const struct warmup_level *before, struct warmup_level *now, size_t series);

/* The most rounds of the warm-up of a run of PLANNED rounds. */
size_t warmup_limit(size_t planned);

/* The calls of a block of the warm-up, whose blocks have COUNT calls when they are measured. With
 * LOAD several of them are in flight. */
size_t warmup_calls(size_t planned, size_t count, bool load);
