#include "measure/warmup.h"

#include <math.h>
#include <string.h>

#include "measure/statistics/estimate.h"

/* A level is steady if it changed from one window to the next by at most STEADY_SHARE of the level,
 * or by at most STEADY_SPREAD times the spread of the blocks' levels. Short blocks have a large
 * spread. */
#define STEADY_SHARE  0.02
#define STEADY_SPREAD 3

enum {
    SHORT_DIVISOR = 4, /* in a short run: divisor of the number of calls in a warm-up block */
    CALLS_MINIMUM = 10,
};

struct warmup_level warmup_level_of(const double blocks[WARMUP_WINDOW])
{
    double window[WARMUP_WINDOW];
    struct warmup_level level = {.steady = false};

    memcpy(window, blocks, sizeof window);
    level.median = estimate_median(window, WARMUP_WINDOW);
    for (size_t i = 0; i < WARMUP_WINDOW; i++)
        window[i] = fabs(blocks[i] - level.median);
    level.spread = estimate_median(window, WARMUP_WINDOW);
    return level;
}

bool warmup_is_steady(const struct warmup_level *before, struct warmup_level *now, size_t series)
{
    bool all = true;

    for (size_t i = 0; i < series; i++) {
        double spread = fmax(before[i].spread, now[i].spread);

        now[i].steady =
            before[i].steady || fabs(now[i].median - before[i].median) <=
                                    fmax(STEADY_SHARE * before[i].median, STEADY_SPREAD * spread);
        all = all && now[i].steady;
    }
    return all;
}

/* Return true if the warm-up must be shortened, because it would take most of the run's time. It
 * then has fewer rounds (two windows at least) and, unless under load, fewer calls in a block. */
static bool is_short(size_t planned)
{
    return planned < WARMUP_MAXIMUM / 2;
}

size_t warmup_limit(size_t planned)
{
    size_t least = 2 * WARMUP_WINDOW;

    if (!is_short(planned))
        return WARMUP_MAXIMUM;
    return 2 * planned > least ? 2 * planned : least;
}

size_t warmup_calls(size_t planned, size_t count, bool load)
{
    size_t fewer = count / SHORT_DIVISOR;

    if (!is_short(planned) || load || count <= CALLS_MINIMUM)
        return count;
    return fewer > CALLS_MINIMUM ? fewer : CALLS_MINIMUM;
}
