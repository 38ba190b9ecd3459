/* How a cost grows with a number: not at all, with its logarithm, in proportion to it, or more. */
#ifndef NFSBENCH_CHARACTER_GROWTH_H
#define NFSBENCH_CHARACTER_GROWTH_H

#include <stddef.h>

enum growth {
    GROWTH_CONSTANT,
    GROWTH_LOGARITHMIC,
    GROWTH_LINEAR,
    GROWTH_FORMS,
    GROWTH_MORE = GROWTH_FORMS, /* than linear */
    GROWTH_OTHER,               /* none of them fits within GROWTH_MISFIT_MOST */
    GROWTH_UNCLEAR,             /* whether it grows is not certain; no fit says so */
    GROWTHS,
};

struct growth_fit {
    enum growth growth;  /* GROWTH_OTHER: none of them fits within GROWTH_MISFIT_MOST */
    double fixed, slope; /* cost = fixed + slope x (0, ln number, number) */
    double misfit;       /* the largest |cost / fit - 1| */
};

/* A simpler form is taken where its misfit is below the first, and no form above the second. */
#define GROWTH_MISFIT_LEAST 0.25
#define GROWTH_MISFIT_MOST  0.5

/* "constant", "logarithmic", "linear", "more than linear", "of no simple form",
 * "not clear". */
extern const char *const growth_names[GROWTHS];

/* Fit one form to COUNT costs (above 0) of NUMBERS (1 or more), by least squares of the relative
 * errors; SLOPE is never below 0. */
void growth_fit_form(struct growth_fit *fit, enum growth form, const double *numbers,
                     const double *costs, size_t count);

/* Fit the simplest form that does; NUMBERS ascend. A cost that is hardly larger at their end than
 * at their beginning is constant, however much it varies. */
void growth_fit(struct growth_fit *fit, const double *numbers, const double *costs, size_t count);

/* Fit a line to what so many things cost together, two NUMBERS or more. It is more than linear
 * where each costs more than GROWTH_MORE_LEAST times as much at the last number as at the one
 * before. */
#define GROWTH_MORE_LEAST 5.0
void growth_fit_total(struct growth_fit *fit, const double *numbers, const double *costs,
                      size_t count);

#endif
