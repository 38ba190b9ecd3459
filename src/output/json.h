/* A result as JSON, schema "nfsbench-result/1" (doc/FORMAT.md). */
#ifndef NFSBENCH_OUTPUT_JSON_H
#define NFSBENCH_OUTPUT_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "output/result.h"

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
