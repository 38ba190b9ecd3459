/* Made-up numbers for results. A number depends only on the path of its field, so that a new field
 * or row changes no other number. */
#pragma once

#include "measure/statistics/estimate.h"
#include "output/view/fields.h"

/* Return ESTIMATE with an interval that extends farther above it than below it. */
struct interval interval_around(double estimate);

/* Set the numbers and intervals of OBJECT, and of all objects in it, that are 0. FIELDS describes
 * OBJECT. A number follows from its path, such as ".ops[2].latency_ns.p50": from 100 to 10000, or
 * from 0.05 to 1 for shares, ratios and probabilities. An item of an array with names is called by
 * its name. Counts are left alone, because they may be sizes, conditions or enumerators. */
void figures_set_missing(const struct field *fields, void *object);
