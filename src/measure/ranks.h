/* Values by rank: what is computed on ranks, outliers don't move far. */
#ifndef NFSBENCH_MEASURE_RANKS_H
#define NFSBENCH_MEASURE_RANKS_H

#include <stddef.h>
#include <stdint.h>

struct ranked {
    double value;
    uint32_t index; /* where it came from */
};

/* N values in order, smallest first, those that are equal as they came; to be freed. NULL without
 * memory. */
struct ranked *ranks_sort(const double *values, size_t n);

/* Each value's rank, from 0, ties sharing the mean of theirs (Spearman's); to be freed. NULL
 * without memory. */
double *ranks_mean(const double *values, size_t n);

#endif
