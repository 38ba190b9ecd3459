/* How long a warm-up is, and when its level is steady. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    /* number of rounds in a window; the levels of successive windows are compared */
    WARMUP_WINDOW = 5,
    WARMUP_MAXIMUM = 100, /* the largest result of warmup_limit() */
};

/* The level of a series in a window: median and median absolute deviation of block levels, ns. */
struct warmup_level {
    double median, spread;
    bool steady; /* the level was steady in this window or in an earlier one */
};

struct warmup_level warmup_level_of(const double blocks[WARMUP_WINDOW]);

/* Set `steady` in each of the SERIES levels NOW, and return true if all are set: each series was
 * steady in this window or in an earlier one. Steady: the level changed from BEFORE to NOW by no
 * more than a small share of the level, or by no more than the noise of the blocks' levels. The
 * series need not be steady in the same window, because many series hardly ever are. */
bool warmup_is_steady(const struct warmup_level *before, struct warmup_level *now, size_t series);

/* Return the number of warm-up rounds after which no further window begins, for a run of PLANNED
 * rounds. The last window may exceed this number. */
size_t warmup_limit(size_t planned);

/* Return the number of calls in a warm-up block, for a series whose measured blocks have COUNT
 * calls. PLANNED: number of measured rounds. LOAD: several calls are in flight; returns COUNT. */
size_t warmup_calls(size_t planned, size_t count, bool load);
