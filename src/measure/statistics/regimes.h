/* Changes of a level: where the rounds of a run fall into regimes, each with a level of its own,
 * as when the host moves a virtual processor to where it shares no cache with the other.
 *
 * Circular binary segmentation (Olshen and others, "Circular Binary Segmentation for the Analysis
 * of Array-based DNA Copy Number Data", 2004) with a CUSUM of ranks, so that outliers weigh no more
 * than other rounds. Between the extremes of the CUSUM is the window that differs most from the
 * values around it, which also finds a level that comes and goes. If the range of the CUSUM has a
 * p-value below REGIMES_P (by Kuiper's limit), the values are split at the larger step of the
 * window's two ends, which must be REGIMES_SHARE of the level or more; then both parts are looked
 * at in the same way. Where the residuals about the medians in the window and outside are
 * correlated with their neighbours by rho > 0, the variance of the CUSUM is taken to be (1 + rho) /
 * (1 - rho) times as large. */
#pragma once

#include <stddef.h>

#include "common/error.h"

enum {
    REGIMES_MOST = 16,     /* at most */
    REGIMES_SHORTEST = 10, /* values in a regime, at least */
};

#define REGIMES_P     0.005 /* of one test, so that under 1 % of steady runs are split */
#define REGIMES_SHARE 0.03  /* of the level */

/* Consecutive values of one level. */
struct regime {
    size_t rounds; /* number of values */
    double level;  /* their median */
};

struct regimes {
    struct regime list[REGIMES_MOST]; /* in order of time */
    size_t count;                     /* 1: nothing has changed */
};

/* Find the regimes of N values, 1 or more. Returns 0, or -ENOMEM with ERROR set. */
int regimes_find(struct regimes *regimes, const double *values, size_t n, struct error *error);

/* The highest level of the COUNT regimes of LIST over the lowest, less 1; 0 where a level is 0.
 * Regimes with fewer values than REGIMES_SHORTEST do not count.
 */
double regimes_extent(const struct regime *list, size_t count);
