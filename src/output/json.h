/* A result as JSON, schema "nfsbench-result/1" (doc/FORMAT.md). */
#ifndef NFSBENCH_OUTPUT_JSON_H
#define NFSBENCH_OUTPUT_JSON_H

#include <stdio.h>

#include "output/result.h"

/* Write RESULT to OUT. 0, or a negative errno. */
int json_write(const struct result *result, FILE *out);

#endif
