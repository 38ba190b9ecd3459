/* Sorting the samples of a block. */
#ifndef NFSBENCH_MEASURE_TICKS_SORT_H
#define NFSBENCH_MEASURE_TICKS_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sort N samples, in ticks, the shortest first. SPARE has room for as many. Of large
 * blocks, as they are under load, each sample takes the same time: comparisons took longer than all
 * else that is done with a sample. */
void ticks_sort(uint64_t *ticks, uint64_t *spare, size_t n);

#endif
