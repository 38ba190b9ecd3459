/* The ranks of a run by several, in the JSON result. */
#ifndef NFSBENCH_OUTPUT_JSON_RANKS_H
#define NFSBENCH_OUTPUT_JSON_RANKS_H

#include <jansson.h>

#include "output/result.h"

/* An array, by rank; NULL without memory. */
json_t *json_ranks(const struct result *result);

#endif
