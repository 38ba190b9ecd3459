/* Where costs rise for good. */
#ifndef NFSBENCH_CHARACTER_KNEE_H
#define NFSBENCH_CHARACTER_KNEE_H

#include <stddef.h>

#include "measure/estimate.h"

#define KNEE_LEAST 2.0

/* The index of the first of COUNT costs from which on all are more than KNEE_LEAST times the least
 * before it, and the first of them certainly so; 0: there is none. */
size_t knee_find(const struct interval *costs, size_t count);

#endif
