/* Where does a series of results change? Between two changes, results of one server differ only as
 * launches do; at a change their distribution changes.
 *
 * E-divisive (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
 * Multivariate Data", 2014; used on benchmarks of a database by Daly et al., "The Use of Change
 * Point Detection to Identify Software Performance Regressions in a Continuous Integration System",
 * 2020). A split's divergence is the distance between the values on its two sides, less the
 * distances within each side. The most divergent split is compared with the most divergent splits
 * of random permutations of the same values; if it is significant, it is a change, and both
 * segments are searched in turn. This assumes no particular distribution, but it does assume that
 * without a change all orders are equally likely: in a series that drifts or is autocorrelated, it
 * finds changes that are not there. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/contrast.h"

enum {
    CHANGES_LEAST = 3,     /* values in a segment, at least */
    CHANGES_MOST = 32,     /* changes found, at most */
    CHANGES_VALUES = 1000, /* values in a series, at most */
    CHANGES_PERMUTATIONS = 999,
};

struct change {
    size_t at; /* index of the first value after it */
    double p;  /* p-value of the permutation test; at least 1 / 1000 */
    /* The means of the segments before and after the change, with Student's intervals, and their
     * difference, with Welch's. The intervals are somewhat too narrow, since the position was
     * chosen for its difference. P and ADJUSTED_P in it are the P above. */
    struct comparison means;
};

struct changes {
    struct change list[CHANGES_MOST]; /* in the order of the series */
    size_t count;
};

/* Find the changes in N VALUES (finite; at most CHANGES_VALUES; fewer than 2 x CHANGES_LEAST have
 * none). Each change has a P of at most SIGNIFICANCE (0.001 to 0.5), which is also the false-alarm
 * rate: the share of series without a change in which one is found. tests/unit/test_changes.c
 * measures that rate, and that a shift of 2 standard deviations between 20 and 20 values is found
 * in over 95 of 100 series. See changes_enough(). The same input and SEED give the same output.
 * 1000 values take some seconds, 100 values some hundredths of a second. Returns 0, -EINVAL for too
 * many values or one that is not finite, or -ENOMEM. */
int changes_find(const double *values, size_t n, double significance, uint64_t seed,
                 struct changes *changes, struct error *error);

/* The fewest values in which a change can have a P of at most SIGNIFICANCE: the smallest possible P
 * of n values is 2 / C(n, n/2), the chance that a random order separates the two groups. 8 for
 * 0.05. */
size_t changes_enough(double significance);
