/* Where does a series change? Results of one server over time: between two changes they differ as
 * launches do, and at a change their distribution becomes another.
 *
 * E-divisive (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
 * Multivariate Data", 2014; used on benchmarks of a database by Daly et al., "The Use of Change
 * Point Detection to Identify Software Performance Regressions in a Continuous Integration System",
 * 2020). A split's divergence is how far apart the values on its two sides are, less how far apart
 * they are among themselves. The most divergent split is held against the most divergent ones of
 * the same values in random order; where it stands out it is a change, and the parts are searched
 * in turn. So no form of the distribution is assumed, only that without a change any order is as
 * likely: where a series drifts, or depends on what came before, changes are found that are none.
 */
#ifndef NFSBENCH_MEASURE_CHANGES_H
#define NFSBENCH_MEASURE_CHANGES_H

#include <stddef.h>
#include <stdint.h>

#include "measure/comparison.h"

enum {
    CHANGES_LEAST = 3,     /* values from one change to the next, at the ends of the series, too */
    CHANGES_MOST = 32,     /* that are looked for */
    CHANGES_VALUES = 1000, /* in a series */
    CHANGES_PERMUTATIONS = 999,
};

struct change {
    size_t at; /* index of the first value after it */
    double p;  /* that values in random order have as divergent a split: 1 / 1000 at least */
    /* The mean before (from the last change on) and after (to the next), and the difference, with
     * Student's and Welch's intervals. They are somewhat too narrow, since the place was chosen for
     * the difference. P and ADJUSTED_P in it are the P above. */
    struct comparison means;
};

struct changes {
    struct change list[CHANGES_MOST]; /* in the order of the series */
    size_t count;
};

/* Find the changes in N VALUES (finite; up to CHANGES_VALUES; under 2 x CHANGES_LEAST there are
 * none). Each has a P of at most SIGNIFICANCE (0.001 to 0.5), and that is also the share of series
 * without any change in which one is found; tests/unit/test_changes.c measures it, and that a shift
 * of 2 standard deviations between 20 and 20 values is found in over 95 of 100 series. See
 * changes_enough(). The same input and SEED give the same output. 1000 values take some seconds,
 * 100 some hundredths of one. 0, -EINVAL for too many values or one that is not finite, or -ENOMEM.
 */
int changes_find(const double *values, size_t n, double significance, uint64_t seed,
                 struct changes *changes, struct error *error);

/* The fewest values in which a change can have a P of at most SIGNIFICANCE: of their orders two in
 * as many as there are ways to choose half of them have them all apart. 8 for 0.05. */
size_t changes_enough(double significance);

#endif
