/* The cost of a call as a function of its size: a fixed cost and ns per byte, with breaks (where
 * packets, fragments or buffers begin to matter) that are estimated from the data.
 *
 * Between breaks the cost is linear, with a fixed cost and a cost per byte of at least 0; at a
 * break the slope may change and the cost may jump up: each piece has its own line. For each number
 * of breaks, dynamic programming over all positions finds the best ones (R. Bellman, "On the
 * Approximation of Curves by Line Segments Using Dynamic Programming", 1961; Bai and Perron,
 * "Computation and Analysis of Multiple Structural Change Models", 2003), which is exact except
 * that a piece that would begin below the end of the best one before it is excluded, since more
 * bytes are never less work. Errors are relative, as is usual for times. The number of breaks
 * minimises the Bayesian information criterion (Yao, "Estimating the Number of Change-Points via
 * Schwarz' Criterion", 1988): each break adds three parameters, its position and a line. The sample
 * size in the criterion is the number of sizes: repeats improve the precision at each size, but add
 * no sizes.
 *
 * Continuous lines would need one parameter less per break, but could not represent a step; a cost
 * per packet, c x ceil((size + header) / MTU), would require the MTU
 * (measure/statistics/cost_model.h has that). This model assumes neither. */
#pragma once

#include <stdbool.h>

#include "experiment/laws/jackknife.h"

enum {
    PIECEWISE_BREAKS_MAXIMUM = 4,
    PIECEWISE_POINTS_LEAST = 3,
    PIECEWISE_POINTS_MAXIMUM = 256,
};

/* Deviations from a line by less than this share of the cost (root mean square) do not justify a
 * break: kernels allocate buffers in steps, and the cost is never quite linear. */
#define PIECEWISE_RESOLUTION 0.01

/* A misfit up to this is none: no clock that times calls resolves it. */
#define PIECEWISE_MISFIT_LEAST_NS 1

struct piecewise_point {
    double size;         /* bytes, at least 0 */
    struct repeats cost; /* ns; above 0, unless there is a SCALE */
    double scale; /* ns, to which errors are relative, such as the round trip that includes COST; 0:
                     COST itself */
};

struct piecewise_piece {
    double first, last;       /* the smallest and the largest measured size on this line, bytes */
    struct interval fixed_ns; /* the line at size 0 */
    struct interval ns_per_byte; /* a piece of two points also has one, with a wide interval */
    /* Lack of fit, ns: the largest distance of a point from the line beyond its own noise (two
     * standard errors) and PIECEWISE_RESOLUTION. If this could change a coefficient by
     * more than its interval, the coefficient is unknown: the points are not on a line. */
    double misfit_ns;
    bool fixed_known, slope_known;
};

struct piecewise_break {
    /* The largest size on the line before the break (estimate); the interval ends at the first size
     * on the line after it. No size between them was measured. */
    struct interval size;
    double next;             /* the first measured size after the break, bytes */
    struct interval jump_ns; /* the line after minus the line before, midway between SIZE and NEXT;
                                if the interval includes 0, or is below 0 by no more than the lack
                                of fit, only the slope changes */
};

struct piecewise {
    size_t breaks;
    struct piecewise_piece piece[PIECEWISE_BREAKS_MAXIMUM + 1]; /* breaks + 1 of them */
    struct piecewise_break at[PIECEWISE_BREAKS_MAXIMUM];
    double residual_largest; /* largest |level - line|, relative, and the size at which it occurs */
    double residual_size;
};

/* Fit COUNT points in ascending order of size. The intervals come from the jackknife over units
 * (experiment/laws/jackknife.h) with the chosen number of breaks, whose positions are estimated
 * again without each unit. Returns 0; -EINVAL for sizes that don't ascend or costs not above 0
 * (without a scale); -ENODATA for fewer points than PIECEWISE_POINTS_LEAST; -E2BIG for more than
 * PIECEWISE_POINTS_MAXIMUM; or -ENOMEM. Takes about COUNT^2 x 20 ns for each unit. */
int piecewise_fit(const struct piecewise_point *points, size_t count, struct piecewise *piecewise,
                  struct error *error);
