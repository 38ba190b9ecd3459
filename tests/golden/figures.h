/* Figures for made-up results. A figure depends on the path of its field alone, so a new field or
 * row changes no other figure. */
#pragma once

#include "measure/statistics/estimate.h"
#include "output/view/fields.h"

/* ESTIMATE with an interval that is wider above than below. */
struct interval interval_around(double estimate);

/* Fill in the numbers and intervals of OBJECT that are 0, as FIELDS describes it and all objects in
 * it. A figure follows from its path, such as ".ops[2].latency_ns.p50": a number from 100 to 10000;
 * for shares, ratios and probabilities from 0.05 to 1. An item of an array with names is called by
 * its name. Counts stay as they are, since they may also be sizes, conditions or enumerators. */
void figures_fill(const struct field *fields, void *object);
