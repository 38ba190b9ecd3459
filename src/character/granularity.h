/* How fine a clock is, by times that were read from it. */
#ifndef NFSBENCH_CHARACTER_GRANULARITY_H
#define NFSBENCH_CHARACTER_GRANULARITY_H

#include <stddef.h>
#include <stdint.h>

/* How often a time of COUNT successive ones (at least 1) differs from the one before. */
size_t granularity_moves(const uint64_t *times, size_t count);

/* The least step between two that differ, ns; 0: all are alike. */
double granularity_least_step(const uint64_t *times, size_t count);

/* The largest power of ten, up to a second, that divides all of COUNT times in ns; 0: all times are
 * alike, which says nothing. */
uint64_t granularity_unit(const uint64_t *times, size_t count);

#endif
