/* Changes of the level in a series of results. Between two changes, results of one server differ as
 * launches do, and may drift slowly.
 *
 * The method is E-divisive (Matteson and James, "A Nonparametric Approach for Multiple Change Point
 * Analysis of Multivariate Data", 2014; used on benchmarks of a database by Daly et al., 2020). A
 * split's divergence is twice the mean distance between values on its two sides, less the mean
 * distances within each side, weighted by the sides' sizes. The most divergent split of all
 * segments is compared with the most divergent splits of random permutations within the segments.
 * If it is significant, it is a change, divides its segment in two, and the search begins again.
 *
 * In a series that drifts, some orders are more likely than others: if a straight line rises by one
 * standard deviation, the means of the two sides of any split differ by half a standard deviation.
 * Therefore a difference of up to half a standard deviation is removed before a split is tested.
 * Faster drifts, and values that depend on earlier ones, still appear as changes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/statistics/contrast.h"

enum {
    CHANGES_LEAST = 3,          /* minimum number of values in a segment */
    CHANGES_MOST = 32,          /* maximum number of changes in a series */
    CHANGES_VALUES = 1000,      /* maximum number of values in a series */
    CHANGES_PERMUTATIONS = 999, /* number of permutations in a test */
};

struct change {
    size_t at; /* index of the first value after the change */
    double p;  /* p-value of the permutation test on values less the drift; at least 1 / 1000 */
    /* The means of the segments before and after the change, with Student's intervals, and the
     * difference of these means, with Welch's interval. The intervals are somewhat too narrow,
     * because the position with the largest difference was chosen. MEANS.P and MEANS.ADJUSTED_P are
     * equal to P. */
    struct comparison means;
};

struct changes {
    struct change list[CHANGES_MOST]; /* changes in the order of the series */
    size_t count;
};

/* Find the changes in N VALUES, at most CHANGES_VALUES. Fewer than 2 x CHANGES_LEAST values have no
 * change. P of a change is at most SIGNIFICANCE (0.001 to 0.5). Among series that have no
 * change, and a drift of one standard deviation at most, the share in which a change is found is at
 * most SIGNIFICANCE. `build/bench/change_rates` prints this share (at 5 %, up to 4.7 % of 300
 * series), and the share of shifts that are found at their exact position: 93 % of shifts by 4
 * standard deviations of normal values, all shifts by 6. The result depends only on the arguments;
 * SEED is for the permutations. 1000 values take some seconds, 100 values some 10 ms. Returns 0,
 * -EINVAL for too many values or a value that is not finite, or -ENOMEM. */
int changes_find(const double *values, size_t n, double significance, uint64_t seed,
                 struct changes *changes, struct error *error);

/* Return the minimum number of values with which P of a change can be at most SIGNIFICANCE (8 for
 * 0.05). With n values, the smallest P is 2 / C(n, n/2), the probability that a random order
 * separates two groups of n/2 values. */
size_t changes_enough(double significance);
