/* The plans of an experiment's variants, from the options that have several values. */
#pragma once

#include "job/options.h"
#include "sweep/experiment.h"

/* Name what PLAN's variants measure and vary, and set the margin of equivalence. */
void variants_describe(struct experiment_plan *plan);

/* Set the time of PLAN, whose variants are known, and its end: what OPTIONS give or what is usual
 * for so many. */
void variants_set_time(struct experiment_plan *plan, const struct options *options);

/* Make the PLAN of an experiment: its variants, for the caller to free, are all combinations of the
 * values of OPTIONS. Returns as plan_make(). */
int variants_make_plan(struct experiment_plan *plan, const struct options *options,
                       struct error *error);
