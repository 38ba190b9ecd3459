/* Regimes: stretches of rounds, each with a level of its own. The level changes, for example, when
 * the host moves a virtual processor to a place where it shares no cache with its neighbour.
 *
 * The method is circular binary segmentation (Olshen and others, "Circular Binary Segmentation for
 * the Analysis of Array-based DNA Copy Number Data", 2004) with a CUSUM of ranks, so that outliers
 * weigh no more than other rounds. The window between the extremes of the CUSUM differs most from
 * the values around it; this also finds a level that comes and goes. If the range of the CUSUM has
 * a p-value below REGIMES_P (by Kuiper's limit), the values are split where the window begins or
 * ends, whichever step is larger. This step must be at least REGIMES_SHARE of the lower level. Then
 * both parts are examined. If the residuals about the medians inside and outside the window have an
 * autocorrelation rho > 0, the variance of the CUSUM is multiplied by (1 + rho) / (1 - rho). */
#pragma once

#include <stddef.h>

#include "common/error.h"

enum {
    REGIMES_MOST = 16,     /* most regimes */
    REGIMES_SHORTEST = 10, /* fewest values in a regime */
};

#define REGIMES_P     0.005 /* largest p-value for a split; under 1 % of steady runs are split */
#define REGIMES_SHARE 0.03  /* smallest step for a split, as a share of the lower level */

/* Consecutive values of one level. */
struct regime {
    size_t rounds; /* number of values */
    double level;  /* median of the values */
};

struct regimes {
    struct regime list[REGIMES_MOST]; /* the regimes, in order of time */
    size_t count;                     /* number of regimes; 1: the level has not changed */
};

/* Find the regimes of N values (1 or more). Returns 0, or -ENOMEM with ERROR set. */
int regimes_find(struct regimes *regimes, const double *values, size_t n, struct error *error);

/* Return the highest level of the COUNT regimes of LIST divided by the lowest, less 1. Ignores
 * regimes with fewer than REGIMES_SHORTEST values. Returns 0 if a level is 0 or all are ignored. */
double regimes_extent(const struct regime *list, size_t count);
