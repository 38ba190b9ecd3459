/* A result as JSON, schema "nfsbench-result/1" (doc/FORMAT.md). */
#ifndef NFSBENCH_OUTPUT_JSON_H
#define NFSBENCH_OUTPUT_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "output/result.h"

json_t *json_count(uint64_t count);

/* TEXT, or null where it is NULL; where it is no UTF-8 (it may come from the machine or the
 * server), it is left out rather than lied about, too. */
json_t *json_text(const char *text);

/* The name, version and build of this program. */
json_t *json_tool(void);

/* {"estimate": ..., "ci95": [low, high]} */
json_t *json_interval(const struct interval *interval);

/* RESULT as a JSON object; NULL without memory. */
json_t *json_result(const struct result *result);

/* TEXT; null where it is NULL, or no UTF-8, as what comes from the machine or a server may be: it
 * is then left out rather than lied about. */
json_t *json_text(const char *text);

/* Write OBJECT to OUT, and release it. 0, or a negative errno: -ENOMEM where it is NULL. */
int json_write_object(json_t *object, FILE *out);

/* Write RESULT to OUT. 0, or a negative errno. */
int json_write(const struct result *result, FILE *out);

#endif
