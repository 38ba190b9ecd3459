/* What a run under load adds to the JSON result. */
#ifndef NFSBENCH_OUTPUT_JSON_LOAD_H
#define NFSBENCH_OUTPUT_JSON_LOAD_H

#include <jansson.h>

#include "output/result.h"

/* The quantiles and moments of HISTOGRAM. */
json_t *json_latency(const struct histogram *histogram);

/* The load that was asked for. */
json_t *json_load(const struct load *load);

/* What an op made of it. */
json_t *json_op_load(const struct result *result, const struct result_op *op);

#endif
