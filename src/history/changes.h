/* Changes of the level in a series of results. Between two changes, results of one server differ as
 * launches do, and may drift slowly.
 *
 * The method is E-divisive (Matteson and James, "A Nonparametric Approach for Multiple Change Point
 * Analysis of Multivariate Data", 2014; used on benchmarks of a database by Daly et al., 2020). A
 * split's divergence is the distance between the values on its two sides, less the distances within
 * each side. The most divergent split is compared with those of random permutations of the values.
 * If it is significant, it is a change, and both segments are searched in turn.
 *
 * In a series that drifts, some orders are more likely than others: if a straight line rises by one
 * standard deviation, the means of the two sides of any split differ by half a standard deviation.
 * Therefore up to this difference is removed before a split is tested. Faster drifts, and values
 * that depend on earlier ones, still appear as changes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/statistics/contrast.h"

enum {
    CHANGES_LEAST = 3,     /* least number of values in a segment */
    CHANGES_MOST = 32,     /* largest number of changes found */
    CHANGES_VALUES = 1000, /* largest number of values in a series */
    CHANGES_PERMUTATIONS = 999,
};

struct change {
    size_t at; /* index of the first value after the change */
    double p;  /* p-value of the permutation test without the drift, at least 1 / 1000 */
    /* The means of the segments before and after the change, with Student's intervals, and their
     * difference, with Welch's. The intervals are somewhat too narrow, because the position was
     * chosen for its difference. Its members p and adjusted_p are equal to P. */
    struct comparison means;
};

struct changes {
    struct change list[CHANGES_MOST]; /* changes in the order of the series */
    size_t count;
};

/* Find the changes in N VALUES, which must be finite, at most CHANGES_VALUES; fewer than 2 x
 * CHANGES_LEAST have no change. A change has a P of at most SIGNIFICANCE (0.001 to 0.5). In steady
 * series, and series that drift by up to a standard deviation, a change is found in at most the
 * share SIGNIFICANCE of the series. `build/bench/change_rates` prints the share (at 5 %, up to 4.7
 * % of 300 series), and the share of shifts found at their exact position: 93 % of those by 4
 * standard deviations of normal values, all of those by 6. See changes_enough(). The result depends
 * only on the arguments. 1000 values take some seconds, 100 some 10 ms. Returns 0, -EINVAL for too
 * many values or one that is not finite, or -ENOMEM. */
int changes_find(const double *values, size_t n, double significance, uint64_t seed,
                 struct changes *changes, struct error *error);

/* Return the least number of values with which a change can have a P of at most SIGNIFICANCE (8 for
 * 0.05). The smallest P of n values is 2 / C(n, n/2), the probability that a random order separates
 * two groups of n/2. */
size_t changes_enough(double significance);
