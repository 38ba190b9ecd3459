/* Points of a sweep, each measured several times, and the bootstrap of whatever is fitted to them.
 * The independent unit is the repeat: a separate run at another time.
 *
 * A point's level is the median of its repeats, which one disturbed run does not affect. A resample
 * draws, for each point separately, as many of its repeats as it has, with replacement (stratified
 * resampling: Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section 3.2). A
 * fit is repeated on each resample's levels, and the results are its replicates. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/estimate.h"

/* The repeated measurements of one point. */
struct repeats {
    const double *values;
    size_t count; /* at least 1 */
};

/* Row 0 holds the points' levels, rows 1 to ESTIMATE_REPLICATES those of the resamples. */
struct levels {
    size_t points;
    double widen; /* factor on the intervals' width: see levels_resample() */
    double *values;
};

enum { LEVELS_ROWS = ESTIMATE_REPLICATES + 1 };

/* Resample POINTS points, at least 1. REPEATS are those of the first; those of the others follow
 * STRIDE bytes after one another, so that they may be members of larger structures. Two quantities
 * with the same numbers of repeats and the same SEED get the same draws, so that their products and
 * ratios have replicates, too.
 *
 * With few repeats the resamples vary less than new measurements would. So intervals are widened by
 * the ratio of Student's t to the normal quantile, with as many degrees of freedom as there are
 * repeats beyond each point's first; and by sqrt(2) if a point has only two repeats, whose median
 * is their mean (from three on, the bootstrap does not underestimate the variance of a median).
 * tests/unit/test_levels.c measures the coverage. Points with a single repeat don't vary; if all
 * have a single repeat, both ends of every interval are the estimate.
 *
 * Returns 0, -EINVAL for no points, a point without repeats or a value that is not finite, or
 * -ENOMEM. After success the caller must free LEVELS. */
int levels_resample(struct levels *levels, const struct repeats *repeats, size_t stride,
                    size_t points, uint64_t seed, struct error *error);

void levels_free(struct levels *levels);

/* The levels in ROW, one per point. */
const double *levels_row(const struct levels *levels, size_t row);

/* The interval of VALUES, a fit's result on each of the LEVELS_ROWS rows. */
struct interval levels_fitted(const struct levels *levels, const double *values);

/* The standard error of POINT's level, from its resamples, widened as intervals are; 0 for a point
 * with a single repeat. */
double levels_deviation(const struct levels *levels, size_t point);

/* The median of one point's repeats, with its interval. Errors as for levels_resample(). */
int levels_interval(const struct repeats *repeats, uint64_t seed, struct interval *interval,
                    struct error *error);
