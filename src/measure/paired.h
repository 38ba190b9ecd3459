/* Two sides that were measured in the same rounds: what differs between them.
 *
 * Whatever drifts from round to round meets both sides of a round alike. So a level's difference is
 * the median over the rounds of the paired differences, and everything is resampled alike: the n-th
 * replicate of each is made of the same rounds. */
#ifndef NFSBENCH_MEASURE_PAIRED_H
#define NFSBENCH_MEASURE_PAIRED_H

#include "measure/comparison.h"
#include "measure/estimate.h"
#include "measure/rounds.h"

/* SECOND less FIRST, round by round, over N rounds, to be freed; NULL without memory, with ERROR
 * set. */
double *paired_differences(const struct series *first, const struct series *second,
                           enum block_statistic statistic, size_t n, struct error *error);

/* A quantity on both sides, and its difference, second less first; ns. */
struct paired {
    struct replicates first, second, difference;
};

/* The levels of two series, of RESAMPLING's n rounds. 0 or -ENOMEM. */
int paired_levels(struct paired *paired, const struct series *first, const struct series *second,
                  const struct resampling *resampling, struct error *error);

/* From what is itself estimated from pairs within each side's rounds, by one resampling: costs
 * above null, and their parts. */
void paired_costs(struct paired *paired, const struct replicates *first,
                  const struct replicates *second);

/* SUM += TERM, both by one resampling. */
void paired_add(struct paired *sum, const struct paired *term);

/* The intervals of both sides and of the difference, and how likely it came by chance. */
void paired_compare(const struct paired *paired, struct comparison *comparison);

#endif
