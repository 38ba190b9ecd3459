/* What share a part has of a whole that was measured in rounds. */
#ifndef NFSBENCH_MEASURE_SHARE_H
#define NFSBENCH_MEASURE_SHARE_H

#include "measure/estimate.h"

/* The share that PART has of PART and REST together, 0 to 1: the median over N rounds of each
 * round's own, so that what drifts from round to round is in both. PART is overwritten by the
 * rounds' shares. 0, or -ENOMEM with ERROR set. */
int share_interval(double *part, const double *rest, size_t n, uint64_t seed,
                   struct interval *share, struct error *error);

#endif
