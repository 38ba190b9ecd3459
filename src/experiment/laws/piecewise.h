/* The cost of a call as a function of its size: a fixed cost and ns per byte, with breaks estimated
 * from the data. Breaks occur where packets, fragments or buffers begin to matter.
 *
 * Between breaks the cost is linear, with a fixed cost and a cost per byte of at least 0. At a
 * break the slope may change and the cost may jump up: each piece has its own line. For each number
 * of breaks, dynamic programming over all positions finds the best positions (R. Bellman, "On the
 * Approximation of Curves by Line Segments Using Dynamic Programming", 1961; Bai and Perron,
 * "Computation and Analysis of Multiple Structural Change Models", 2003). The search is exact,
 * except that it avoids a piece that would begin below the end of the best piece before it,
 * because more bytes are never less work. Errors are relative. The number of breaks minimises the
 * Bayesian information criterion (Yao, "Estimating the Number of Change-Points via Schwarz'
 * Criterion", 1988): each break adds three parameters, its position and a line. The sample size in
 * the criterion is the number of sizes, because repeats improve the precision at each size but add
 * no sizes.
 *
 * Continuous lines would need one parameter less per break, but could not represent a step. A cost
 * per packet, c x ceil((size + header) / MTU), would require the MTU
 * (measure/statistics/cost_model.h models it). */
#pragma once

#include <stdbool.h>

#include "experiment/laws/jackknife.h"

enum {
    PIECEWISE_BREAKS_MAXIMUM = 4,
    PIECEWISE_POINTS_LEAST = 3,
    PIECEWISE_POINTS_MAXIMUM = 256,
};

/* Deviations from a line with a root mean square below this share of the points' scales do not
 * justify a break: kernels allocate buffers in steps, so the cost is never exactly linear. */
#define PIECEWISE_RESOLUTION 0.01

/* A misfit up to this counts as 0, because the clocks that time calls are not more precise. */
#define PIECEWISE_MISFIT_LEAST_NS 1

struct piecewise_point {
    double size;         /* size of a call, bytes; at least 0 */
    struct repeats cost; /* cost of a call, ns; above 0 if SCALE is 0 */
    /* time to which errors are relative, such as a round trip, ns; 0: COST itself */
    double scale;
};

struct piecewise_piece {
    double first, last;       /* smallest and largest measured size on this line, bytes */
    struct interval fixed_ns; /* value of the line at size 0 */
    /* Slope of the line. A piece of two points has a slope, too, but with a wide interval. */
    struct interval ns_per_byte;
    /* Lack of fit, ns: the largest distance of a point from the line, less the point's noise (two
     * standard errors) and PIECEWISE_RESOLUTION x scale. If this misfit could change a coefficient
     * by more than the half-width of its interval, the coefficient is unknown, because the points
     * are not on a line. */
    double misfit_ns;
    bool fixed_known, slope_known;
};

struct piecewise_break {
    /* Estimate: the largest measured size before the break, bytes. The break is between LOW and
     * HIGH. With one unit, these are the first and the last size of all points. With several units
     * but no noise, LOW is the estimate, and HIGH is NEXT. */
    struct interval size;
    double next; /* first measured size after the break, bytes */
    /* Increase of the cost at the break, ns: the line after it less the line before it, in the
     * middle between SIZE and NEXT. Unless LOW is above 0, only the slope changes. */
    struct interval jump_ns;
};

struct piecewise {
    size_t breaks;
    struct piecewise_piece piece[PIECEWISE_BREAKS_MAXIMUM + 1]; /* BREAKS + 1 elements are set */
    struct piecewise_break at[PIECEWISE_BREAKS_MAXIMUM];
    double residual_largest; /* largest |level - line| / scale of the errors */
    double residual_size;
};

/* Fit COUNT points in ascending order of size. The intervals come from the jackknife over units
 * (experiment/laws/jackknife.h). The number of breaks is chosen once, and their positions are
 * estimated again without each unit. Returns 0; -EINVAL for sizes below 0 or not ascending, or for
 * costs that are missing, not finite or, without a scale, not above 0; -ENODATA for fewer points
 * than PIECEWISE_POINTS_LEAST; -E2BIG for more than PIECEWISE_POINTS_MAXIMUM; or -ENOMEM. */
int piecewise_fit(const struct piecewise_point *points, size_t count, struct piecewise *piecewise,
                  struct error *error);
