/* Ranks of values, for statistics that are robust to outliers. */
#ifndef NFSBENCH_MEASURE_RANKS_H
#define NFSBENCH_MEASURE_RANKS_H

#include <stddef.h>
#include <stdint.h>

struct ranked {
    double value;
    uint32_t index; /* its position in the input */
};

/* N values in ascending order, equal ones in their original order, for the caller to free; NULL if
 * memory runs out. */
struct ranked *ranks_sort(const double *values, size_t n);

/* Each value's rank, from 0, with the mean rank for ties (as for Spearman's coefficient), for the
 * caller to free; NULL if memory runs out. */
double *ranks_mean(const double *values, size_t n);

#endif
