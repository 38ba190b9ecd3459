/* The difference between two sides that were measured in the same rounds.
 *
 * A drift from round to round affects both sides of a round equally. So the difference is the
 * median over the rounds of the paired differences, and all quantities are resampled together: the
 * n-th replicate of each draws the same rounds. */
#pragma once

#include "measure/comparison.h"
#include "measure/estimate.h"
#include "measure/rounds.h"

/* SECOND minus FIRST in each of N rounds, for the caller to free; NULL, with ERROR set, if memory
 * runs out. */
double *paired_differences(const struct series *first, const struct series *second,
                           enum block_statistic statistic, size_t n, struct error *error);

/* A quantity on both sides, and its difference, second minus first; ns. */
struct paired {
    struct replicates first, second, difference;
};

/* The levels of two series with RESAMPLING's n rounds. Returns 0 or -ENOMEM. */
int paired_levels(struct paired *paired, const struct series *first, const struct series *second,
                  const struct resampling *resampling, struct error *error);

/* The same for costs above null and their parts, which are estimated within each side's rounds:
 * FIRST and SECOND have the same resampling. */
void paired_costs(struct paired *paired, const struct replicates *first,
                  const struct replicates *second);

/* A series and the null calls below it. */
struct paired_series {
    const struct series *op, *null_calls;
};

/* The difference of two mean costs above null: the mean over RESAMPLING's rounds of each round's
 * difference of the blocks' means, with mean_interval()'s interval (measure/mean_cost.h), and the
 * p-value that goes with it. Sets COMPARISON's difference and p-values only. Returns 0 or -ENOMEM.
 */
int paired_mean_costs(const struct paired_series *first, const struct paired_series *second,
                      const struct resampling *resampling, struct comparison *comparison,
                      struct error *error);

/* SUM += TERM, both with the same resampling. */
void paired_add(struct paired *sum, const struct paired *term);

/* The intervals of both sides and of the difference, and its p-value. */
void paired_compare(const struct paired *paired, struct comparison *comparison);
