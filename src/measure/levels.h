/* Points of a sweep that were measured several times each, and the bootstrap of whatever is fitted
 * to them. The unit of evidence is the repeat: a run of its own, at another time.
 *
 * A point's level is the median of its repeats, so that one disturbed run does not move it. A
 * resample draws, for each point by itself, as many of its repeats as it has, with replacement
 * (Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section 3.2: stratified
 * resampling). A fit is made to each resample's levels; what it comes to are its replicates. */
#ifndef NFSBENCH_MEASURE_LEVELS_H
#define NFSBENCH_MEASURE_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "measure/estimate.h"

/* What was measured at one point, again and again. */
struct repeats {
    const double *values;
    size_t count; /* at least 1 */
};

/* Row 0 holds the points' levels, rows 1 to ESTIMATE_REPLICATES those of the resamples. */
struct levels {
    size_t points;
    double widen; /* for struct replicates: see levels_resample() */
    double *values;
};

enum { LEVELS_ROWS = ESTIMATE_REPLICATES + 1 };

/* Resample POINTS points, at least 1. Two quantities with the same numbers of repeats and the same
 * SEED are resampled alike, repeat by repeat, so that their products and ratios have replicates,
 * too.
 *
 * With few repeats the resamples vary less than new measurements would. So an interval is widened
 * by Student's t for as many degrees as there are repeats beyond each point's first over the normal
 * quantile; and by sqrt(2) where a point has but two, whose median is their mean (from three on the
 * bootstrap's variance of a median is not too small). tests/unit/test_levels.c measures how often
 * the intervals then cover the truth. Points without a second repeat don't vary; where all are
 * such, every interval is its estimate alone.
 *
 * 0, -EINVAL for no points, a point without repeats or a value that is not finite, or -ENOMEM.
 * LEVELS is to be freed after success. */
int levels_resample(struct levels *levels, const struct repeats *repeats, size_t points,
                    uint64_t seed, struct error *error);

void levels_free(struct levels *levels);

/* The levels in ROW, one for each point. */
const double *levels_row(const struct levels *levels, size_t row);

/* The replicates that VALUES, what a fit came to on each of the LEVELS_ROWS rows, make. */
void levels_replicates(const struct levels *levels, const double *values,
                       struct replicates *replicates);

/* The standard deviation of the level of POINT, from its resamples, widened as intervals are; 0 of
 * a point without a second repeat. */
double levels_deviation(const struct levels *levels, size_t point);

/* The median of one point's repeats, with its interval. Errors as levels_resample(). */
int levels_interval(const struct repeats *repeats, uint64_t seed, struct interval *interval,
                    struct error *error);

#endif
