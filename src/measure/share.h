/* The share of a part in a whole, both measured in the same rounds. */
#ifndef NFSBENCH_MEASURE_SHARE_H
#define NFSBENCH_MEASURE_SHARE_H

#include "measure/estimate.h"

/* The share of PART in PART + REST, 0 to 1: the median over N rounds of each round's share, so that
 * a drift between rounds affects both. PART is overwritten by the rounds' shares. Returns 0, or
 * -ENOMEM with ERROR set. */
int share_interval(double *part, const double *rest, size_t n, uint64_t seed,
                   struct interval *share, struct error *error);

#endif
