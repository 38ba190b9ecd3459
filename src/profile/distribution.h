/* A distribution of captured values: a histogram whose quantiles are the values themselves, as long
 * as few of them differ. */
#pragma once

#include "measure/histogram.h"

enum { DISTRIBUTION_EXACT = 64 };

/* Zeroed before the first value. */
struct distribution {
    struct histogram histogram;
    size_t distinct; /* values that differ; more than DISTRIBUTION_EXACT: they are not kept */
    double values[DISTRIBUTION_EXACT]; /* in ascending order */
    uint64_t counts[DISTRIBUTION_EXACT];
};

/* Add a VALUE, 0 or more. */
void distribution_add(struct distribution *distribution, double value);

/* The quantile Q (0 to 1): the value of rank ceil(Q x count), or the midpoint of its bucket in the
 * histogram where more than DISTRIBUTION_EXACT values differ; 0 without values. */
double distribution_quantile(const struct distribution *distribution, double q);
