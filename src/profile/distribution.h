/* A histogram of values whose quantiles are exact up to DISTRIBUTION_EXACT distinct values. */
#pragma once

#include "measure/histogram.h"

enum { DISTRIBUTION_EXACT = 64 };

/* Must be zeroed before the first value. */
struct distribution {
    struct histogram histogram;
    /* number of distinct values; above DISTRIBUTION_EXACT, VALUES and COUNTS are not used */
    size_t distinct;
    double values[DISTRIBUTION_EXACT]; /* ascending */
    uint64_t counts[DISTRIBUTION_EXACT];
};

/* Add VALUE, which is at least 0. */
void distribution_add(struct distribution *distribution, double value);

/* Return the quantile Q (0 to 1): the value of rank ceil(Q * count); with more than
 * DISTRIBUTION_EXACT distinct values, the midpoint of that value's bucket. 0 without values. */
double distribution_quantile(const struct distribution *distribution, double q);
