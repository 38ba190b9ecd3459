/* Do two runs differ? Two samples of rounds, from processes of their own, compared. */
#ifndef NFSBENCH_MEASURE_COMPARISON_H
#define NFSBENCH_MEASURE_COMPARISON_H

#include <stdbool.h>

#include "measure/estimate.h"

struct comparison {
    struct interval first, second; /* the medians of each, ns */
    struct interval difference;    /* second less first, ns */
    double p;                      /* that a difference as large comes by chance, two-sided */
    double adjusted_p;             /* likewise, of all comparisons that were made together */
};

/* Compare the medians of FIRST's and SECOND's rounds, which have nothing to do with each other (no
 * pairs): each is resampled by itself, in blocks as long as its dependence asks for. P comes from
 * the difference over its bootstrap standard error. 0 or -ENOMEM. */
int comparison_estimate(struct comparison *comparison, const double *first, size_t first_count,
                        const double *second, size_t second_count, uint64_t seed,
                        struct error *error);

/* The same from replicates, of one resampling, of both and of the difference. */
void comparison_fill(struct comparison *comparison, const struct replicates *first,
                     const struct replicates *second, const struct replicates *difference);

/* Of N comparisons made together, some look different by chance: adjust their p (S. Holm, "A Simple
 * Sequentially Rejective Multiple Test Procedure", 1979). Below 0.05, a difference is real. */
void comparison_adjust(struct comparison *comparisons[], size_t n);

#endif
