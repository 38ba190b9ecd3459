/* Fits to the levels of several cells (a law over loads, a line over sizes), with intervals from
 * the jackknife over units (R. G. Miller, "The Jackknife: a Review", 1974).
 *
 * A unit is one measurement of all cells at a different time: a launch, or a pass of a sweep; with
 * a single launch, a batch of consecutive rounds. Variations between units often affect all cells
 * alike, so the shape of a curve is known better than its points. Therefore whole units are left
 * out. A fit theta is made from all L units, and L times without one unit: theta(-u). The standard
 * error is that of the pseudo-values L theta - (L - 1) theta(-u). Intervals are centred on theta
 * and use Student's t with L - 1 degrees of freedom. For figures above 0, logarithms are used, so
 * that no interval reaches below 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "measure/statistics/estimate.h"

/* The measurements of one cell, one for each unit; all finite, in the same order in all cells. */
struct repeats {
    const double *values;
    /* Number of VALUES, at least 1. If another cell has more, this cell lacks the last units. */
    size_t count;
};

/* Return the level of a cell: the mean over its units. */
double repeats_mean(const struct repeats *repeats);

enum { JACKKNIFE_BATCHES = 20 };

/* Divide the COUNT values of ROUNDS (at least 1), a cell's rounds in one launch, into up to
 * JACKKNIFE_BATCHES batches of consecutive rounds. Batches serve as units because neighbouring
 * rounds are not independent. Batches are as equal in length as possible. Sets BATCHES to the
 * medians of the batches. Returns the number of batches; 0 if there is no memory. */
size_t jackknife_batch(const double *rounds, size_t count, double batches[JACKKNIFE_BATCHES]);

/* Fit to LEVELS, one for each cell, and store the FIGURES, all finite. If ALL, the levels are those
 * of all units, and the fit chooses its model (such as the number of breaks) and stores the model
 * in CONTEXT. Otherwise the levels lack one unit, and the fit uses this model. Returns 0 or a
 * negative errno with ERROR set. */
typedef int jackknife_fit(void *context, const double *levels, bool all, double *figures,
                          struct error *error);

struct jackknife {
    size_t units;   /* number of units, L */
    size_t figures; /* number of figures of a fit */
    double *rows;   /* row 0 is the fit to all units, row u (if L > 1) the fit without unit u - 1 */
};

/* Fit FIGURES figures to POINTS cells (at least 1). REPEATS belongs to the first cell. The repeats
 * of each next cell are STRIDE bytes further, so they may be members of larger structures. A cell
 * with only one unit keeps its level in all fits. Returns 0, -ENOMEM, or the error of FIT. After
 * success, free JACKKNIFE with jackknife_free(). */
int jackknife_make(struct jackknife *jackknife, const struct repeats *repeats, size_t stride,
                   size_t points, size_t figures, jackknife_fit *fit, void *context,
                   struct error *error);
void jackknife_free(struct jackknife *jackknife);

/* In the functions below, FIGURE is the index of a figure. With a single unit the noise is unknown,
 * so these functions return 0 as a standard error, and NAN as bounds and ends of intervals. */

/* Return the standard error of FIGURE, without logarithms. */
double jackknife_error(const struct jackknife *jackknife, size_t figure);

/* Return the 95 % interval of FIGURE, which may have either sign. */
struct interval jackknife_interval(const struct jackknife *jackknife, size_t figure);

/* Return the 95 % interval of FIGURE, which is above 0 in every fit. Because logarithms are used,
 * both ends are above 0. */
struct interval jackknife_positive(const struct jackknife *jackknife, size_t figure);

/* Return the 95 % interval of FIGURE, which is at least 0. If 0 is clearly excluded, the interval
 * is that of jackknife_positive(). Otherwise it begins at 0, and it ends at jackknife_upper() of
 * UNBOUND or at the estimate of FIGURE, whichever is larger. UNBOUND is the index of the same
 * figure fitted without the constraint, or FIGURE if there is no such fit. */
struct interval jackknife_bounded(const struct jackknife *jackknife, size_t figure, size_t unbound);

/* Return a one-sided upper 95 % bound of a figure that has no estimate: the highest value in all
 * fits (at least 0), plus Student's t (one-sided) times the standard error. */
double jackknife_upper(const struct jackknife *jackknife, size_t figure);

/* Return a one-sided lower 95 % bound of a figure that has no estimate but is above 0 in all fits:
 * on a log scale, the lowest value in all fits minus Student's t times the standard error. */
double jackknife_lower(const struct jackknife *jackknife, size_t figure);

/* Set INTERVAL to the level of one cell and its 95 % interval. Logarithms are used, unless the
 * level is a difference (IS_DIFFERENCE), which may have either sign, or is not above 0 in every
 * fit. Returns 0 or -ENOMEM. */
int jackknife_level(const struct repeats *repeats, bool is_difference, struct interval *interval,
                    struct error *error);
