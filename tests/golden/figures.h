/* Made-up numbers for results. A number depends only on the path of its field, so that a new field
 * or row changes no other number. */
#pragma once

#include "measure/statistics/estimate.h"
#include "output/view/fields.h"

/* Return ESTIMATE with an interval that extends farther above ESTIMATE than below. */
struct interval interval_around(double estimate);

/* Set all numbers and intervals that are 0 in OBJECT, and in all objects that it contains. FIELDS
 * describes OBJECT. A number follows from its path, such as ".ops[2].latency_ns.p50". It is from
 * 100 to 10000, or from 0.05 to 1 for shares, ratios and probabilities. In a path, an item of an
 * array with names is called by its name. Counts are not set, because they may be sizes, conditions
 * or enumerators; nor are fields that a function computes or writes, or FIELD_SHOWN fields. */
void figures_set_missing(const struct field *fields, void *object);
