/* The ledger's and the slowest calls' parts of the JSON result. */
#ifndef NFSBENCH_OUTPUT_JSON_LEDGER_H
#define NFSBENCH_OUTPUT_JSON_LEDGER_H

#include <jansson.h>

#include "output/result.h"

/* The result's ledger: how it was counted, and what is lacking. */
json_t *json_ledger(const struct result *result);

/* An op's: per call. */
json_t *json_op_ledger(const struct result_op *op);

/* An op's slowest calls, and what was going on around them. */
json_t *json_slowest(const struct result *result, const struct series *series);

#endif
