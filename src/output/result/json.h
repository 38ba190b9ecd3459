/* JSON values that all kinds of results use, and the kernel's counters as JSON. */
#pragma once

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/counters.h"
#include "measure/statistics/estimate.h"
#include "output/result/kind.h"
#include "output/result/result.h"

/* Return an object with the members with which a result of KIND begins: schema, kind and tool. NULL
 * if there is no memory. */
json_t *json_begin(enum result_kind kind);

json_t *json_tool(void);

/* Return VALUE as a number, or JSON's null if VALUE is NAN or infinite. */
json_t *json_known(double value);

json_t *json_count(uint64_t count);

/* Return BYTES as an integer. If BYTES has a fraction as written, or is not in 0 to 1e15, do what
 * json_known() does. */
json_t *json_bytes(double bytes);

/* Return TEXT as a string. Returns JSON's null if TEXT is NULL or is not UTF-8, as names from the
 * machine or a server may be. */
json_t *json_text(const char *text);

/* Return {"estimate": ..., "ci95": [low, high]}. Returns JSON's null if the estimate is not known;
 * ci95 is null if INTERVAL has no ends. */
json_t *json_interval(const struct interval *interval);

/* Write OBJECT to OUT in ASCII, which every terminal can show, and release OBJECT. Returns 0 or a
 * negative errno: -ENOMEM if OBJECT is NULL. */
int json_write_object(json_t *object, FILE *out);

/* Return COUNTERS in the form in which 'nfsbench agent --counters' answers; unknown counters become
 * null. Returns NULL if there is no memory. */
json_t *counters_to_json(const struct counters *counters);

/* Set COUNTERS, a struct counters, from OBJECT, which counters_to_json() made. Returns 0, or
 * -EBADMSG if OBJECT has another form. */
int counters_from_json(void *counters, const json_t *object);
