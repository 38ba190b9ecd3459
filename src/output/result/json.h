/* What all JSON of this program is made of, and the kernel's counters in it. */
#pragma once

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/counters.h"
#include "measure/statistics/estimate.h"
#include "output/result/kind.h"
#include "output/result/result.h"

/* An object of that kind, with what all have at their beginning: schema, kind, tool. NULL without
 * memory. */
json_t *json_begin(enum result_kind kind);

/* The name, version and build of this program. */
json_t *json_tool(void);

/* VALUE, or null where it is not known, or has no end. */
json_t *json_known(double value);

json_t *json_count(uint64_t count);

/* A number of bytes: an integer, unless it is a mean. */
json_t *json_bytes(double bytes);

/* TEXT; null where it is NULL, or no UTF-8, as what comes from the machine or a server may be: it
 * is then left out rather than misquoted. */
json_t *json_text(const char *text);

/* {"estimate": ..., "ci95": [low, high]}; null where the estimate is not known, and for ci95 where
 * there is no interval. */
json_t *json_interval(const struct interval *interval);

/* Write OBJECT to OUT, in ASCII, as a terminal can show it, and release it. 0, or a negative errno:
 * -ENOMEM where it is NULL. */
int json_write_object(json_t *object, FILE *out);

/* COUNTERS as 'nfsbench agent --counters' answers with them; NULL without memory. Unknown ones are
 * null. */
json_t *counters_to_json(const struct counters *counters);

/* Read them back into COUNTERS, a struct counters. 0, or -EBADMSG for anything else. */
int counters_from_json(void *counters, const json_t *object);
