/* What a call costs by its size: a fixed cost and ns per byte, with breaks where packets,
 * fragments or buffers begin to matter, which the data find.
 *
 * Between the breaks the cost is a line, whose fixed cost and cost of a byte are at least 0; at a
 * break the line may bend, or jump up, or both: each piece has a line of its own. For each number
 * of breaks the best places are found by dynamic programming over all of them (R. Bellman, "On the
 * Approximation of Curves by Line Segments Using Dynamic Programming", 1961; Bai and Perron,
 * "Computation and Analysis of Multiple Structural Change Models", 2003), which is exact but for
 * jumps: a piece that would begin below the best one before it is not looked at, as more bytes are
 * no less work. Errors are relative, as times' are. The number of breaks is the one with the least
 * Bayesian information criterion (Yao, "Estimating the Number of Change-Points via Schwarz'
 * Criterion", 1988): each costs three parameters, its place and a line. What it counts are sizes:
 * their repeats say how well each is known, and nothing of what lies between.
 *
 * Joined lines would need a parameter less for a bend, but can't say what a step costs; a cost per
 * packet, c x ceil((size + header) / MTU), would know the MTU beforehand (measure/cost_model.h has
 * that). Here nothing is known beforehand. */
#ifndef NFSBENCH_MEASURE_PIECEWISE_H
#define NFSBENCH_MEASURE_PIECEWISE_H

#include <stdbool.h>

#include "measure/levels.h"

enum {
    PIECEWISE_BREAKS_MAXIMUM = 4,
    PIECEWISE_POINTS_LEAST = 3, /* of all */
    PIECEWISE_POINTS_MAXIMUM = 256,
};

/* Deviations from a line by less than this share of the cost (root mean square) are no reason for a
 * break: kernels' buffers come in sizes, and no line is quite straight. */
#define PIECEWISE_RESOLUTION 0.01

struct piecewise_point {
    double size;         /* bytes, at least 0 */
    struct repeats cost; /* ns; over 0, unless there is a SCALE */
    double scale; /* ns, that errors are shares of, such as the round trip that COST is a part
                     of; 0: the cost itself */
};

struct piecewise_piece {
    double first, last;       /* the smallest and the largest measured size on this line, bytes */
    struct interval fixed_ns; /* the line at size 0 */
    struct interval ns_per_byte; /* a piece of two points has a slope, too: look at its interval */
    /* By how many ns a point is off the line beyond its own noise (two deviations of its level) and
     * PIECEWISE_RESOLUTION, at most. Where that, over the piece, moves a coefficient by more than
     * its interval, the coefficient is not known: the points are on no line. */
    double misfit_ns;
    bool fixed_known, slope_known;
};

struct piecewise_break {
    /* The largest size that is still on the line before (estimate); the interval ends at the
     * first size on the line after. In between nothing was measured. */
    struct interval size;
    double next;             /* the first measured size on the line after, bytes */
    struct interval jump_ns; /* the line after less the line before, midway between SIZE and NEXT;
                                an interval that holds 0, or lies below it within what a
                                piece may be off, is that of a bend */
};

struct piecewise {
    size_t breaks;
    struct piecewise_piece piece[PIECEWISE_BREAKS_MAXIMUM + 1]; /* breaks + 1 of them */
    struct piecewise_break at[PIECEWISE_BREAKS_MAXIMUM];
    double residual_largest; /* |level - line| of the worst point, as a share; its size is: */
    double residual_size;
};

/* Fit COUNT points of different sizes, in ascending order. The intervals are those of the chosen
 * number of breaks, by bootstrap over the repeats; the places are found anew in each resample. 0;
 * -EINVAL for sizes that don't ascend or costs not over 0 (without a scale); -ENODATA for fewer
 * than PIECEWISE_POINTS_LEAST; -E2BIG for more than PIECEWISE_POINTS_MAXIMUM; -ENOMEM. Takes some
 * COUNT^2 x 20 us. */
int piecewise_fit(const struct piecewise_point *points, size_t count, uint64_t seed,
                  struct piecewise *piecewise, struct error *error);

#endif
