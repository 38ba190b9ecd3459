/* A histogram of values whose quantiles are exact up to DISTRIBUTION_EXACT distinct values. */
#pragma once

#include "measure/histogram.h"

enum { DISTRIBUTION_EXACT = 64 };

/* A zeroed distribution has no values. */
struct distribution {
    struct histogram histogram;
    /* number of distinct values, at most DISTRIBUTION_EXACT + 1; at this maximum, VALUES and COUNTS
     * are not used */
    size_t distinct;
    double values[DISTRIBUTION_EXACT]; /* ascending */
    uint64_t counts[DISTRIBUTION_EXACT];
};

/* Add VALUE, which is at least 0. */
void distribution_add(struct distribution *distribution, double value);

/* Return the quantile Q (0 to 1): the value of rank ceil(Q * number of values). With more than
 * DISTRIBUTION_EXACT distinct values: the midpoint of the value's bucket. Without values: 0. */
double distribution_quantile(const struct distribution *distribution, double q);
