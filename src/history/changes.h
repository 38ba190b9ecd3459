/* Where does a series of results change? Between two changes, results of one server differ as
 * launches do, and may drift slowly; at a change their level shifts.
 *
 * E-divisive (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
 * Multivariate Data", 2014; used on benchmarks of a database by Daly et al., 2020). A split's
 * divergence is the distance between the values on its two sides, less the distances within each
 * side. The most divergent split is compared with those of random permutations of the same values;
 * if it is significant, it is a change, and both segments are searched in turn. In a series that
 * drifts, not all orders are equally likely: a straight line that rises by one standard deviation
 * puts half of one between the means of the two sides of any split. So the sides are brought nearer
 * by that much before they are tested: a change is what such a drift does not explain. Faster
 * drifts, and values that depend on earlier ones, still appear as changes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/statistics/contrast.h"

enum {
    CHANGES_LEAST = 3,     /* values in a segment, at least */
    CHANGES_MOST = 32,     /* changes found, at most */
    CHANGES_VALUES = 1000, /* values in a series, at most */
    CHANGES_PERMUTATIONS = 999,
};

struct change {
    size_t at; /* index of the first value after it */
    double p;  /* p-value of the permutation test, less the drift; at least 1 / 1000 */
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
 * none). Each change has a P of at most SIGNIFICANCE (0.001 to 0.5), as has the share of series in
 * which one is found that is not there, be they steady or drift by up to a standard deviation.
 * `build/bench/change_rates` prints that share (at 5 %, up to 4.7 % of 300 series) and what is
 * found of shifts: by 4 standard deviations, of normal values, 93 % exactly there, by 6 all. See
 * changes_enough(). The same input and SEED give the same output. 1000 values take some seconds,
 * 100 some hundredths of one. Returns 0, -EINVAL for too many values or one that is not finite, or
 * -ENOMEM. */
int changes_find(const double *values, size_t n, double significance, uint64_t seed,
                 struct changes *changes, struct error *error);

/* The fewest values in which a change can have a P of at most SIGNIFICANCE: the smallest possible P
 * of n values is 2 / C(n, n/2), the chance that a random order separates the two groups. 8 for
 * 0.05. */
size_t changes_enough(double significance);
