/* Whatever is fitted to the levels of several cells (a law over loads, a line over sizes), with
 * intervals from the jackknife over units (R. G. Miller, "The Jackknife: a Review", 1974).
 *
 * A unit is a visit to all cells at another time: a launch, a pass of a sweep; with a single
 * launch, a batch of consecutive rounds. What varies between units often affects all cells of a
 * unit together, so that the shape of a curve is known better than its points. Therefore whole
 * units are left out. A fit theta of the cells' levels is made of all L units, and L times without
 * one of them: theta(-u). The standard error is that of the pseudo-values L theta - (L - 1)
 * theta(-u), and intervals are Student's with L - 1 degrees of freedom, about theta itself. What is
 * above 0 is treated on the logarithm, so that no end is below 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "measure/statistics/estimate.h"

/* The measurements of one cell, one of each unit, in the same order for all cells; finite. */
struct repeats {
    const double *values;
    size_t count; /* at least 1; fewer than other cells have: it lacks the last units */
};

/* The level of a cell: the mean over units. */
double repeats_mean(const struct repeats *repeats);

enum { JACKKNIFE_BATCHES = 20 };

/* Make units of a cell's COUNT rounds in one launch (at least 1): the medians of up to
 * JACKKNIFE_BATCHES batches of consecutive rounds, as equal in length as can be, so that rounds
 * that depend on their neighbours are together. Returns the number of BATCHES; 0 if
 * memory runs out. */
size_t jackknife_batch(const double *rounds, size_t count, double batches[JACKKNIFE_BATCHES]);

/* Fit to LEVELS, of as many cells as there are, and store the FIGURES, all of them finite. ALL says
 * that the levels are of all units: what to fit, such as the number of breaks, is chosen then, and
 * kept in CONTEXT. Returns 0 or a negative errno with ERROR set. */
typedef int jackknife_fit(void *context, const double *levels, bool all, double *figures,
                          struct error *error);

struct jackknife {
    size_t units;   /* L */
    size_t figures; /* in each row */
    double *rows;   /* L + 1: row 0 is of all units, row u without unit u - 1 */
};

/* Fit FIGURES figures to POINTS cells (at least 1). REPEATS are those of the first; those of the
 * others follow STRIDE bytes after one another, so that they may be members of larger structures. A
 * cell whose only unit is left out keeps its level. Returns 0, -ENOMEM, or what FIT returned. After
 * success the caller must free JACKKNIFE. */
int jackknife_make(struct jackknife *jackknife, const struct repeats *repeats, size_t stride,
                   size_t points, size_t figures, jackknife_fit *fit, void *context,
                   struct error *error);
void jackknife_free(struct jackknife *jackknife);

/* With a single unit, the noise is unknown: errors are 0, and both ends NAN. */

/* The standard error of FIGURE, on its own scale. */
double jackknife_error(const struct jackknife *jackknife, size_t figure);

/* The 95 % interval of FIGURE, which may have either sign. */
struct interval jackknife_interval(const struct jackknife *jackknife, size_t figure);

/* The same for one that is above 0 in every fit: on the logarithm, so that both ends are, too. */
struct interval jackknife_positive(const struct jackknife *jackknife, size_t figure);

/* The same for one that is at least 0, and may be 0. Where 0 is clearly excluded, it is as that of
 * a positive figure; otherwise the statement is one-sided, from 0 to jackknife_upper() of UNBOUND:
 * a figure that is the same without the limit at 0, or FIGURE itself, for want of one. */
struct interval jackknife_bounded(const struct jackknife *jackknife, size_t figure, size_t unbound);

/* One-sided 95 % bounds at a border, where there is no estimate. The largest of all fits to FIGURE,
 * or 0 if that is more, plus Student's t, for one side, times the standard error. */
double jackknife_upper(const struct jackknife *jackknife, size_t figure);

/* The smallest of all fits, all above 0, less that, on the logarithm. */
double jackknife_lower(const struct jackknife *jackknife, size_t figure);

/* The level of one cell, with its interval: on the logarithm, unless it IS_DIFFERENCE, which may
 * have either sign, or some unit has 0. Returns 0 or -ENOMEM. */
int jackknife_level(const struct repeats *repeats, bool is_difference, struct interval *interval,
                    struct error *error);
