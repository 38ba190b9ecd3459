/* The plans of an experiment's variants, from the options that have several values. */
#pragma once

#include "job/options.h"
#include "sweep/experiment.h"

/* Set PLAN's OPS, VARIED and MARGIN. */
void variants_describe(struct experiment_plan *plan);

/* Set the times and deadlines of PLAN and its variants: those in OPTIONS, or times by the number of
 * variants. With COUNT, only a search has a deadline. A search, or a ladder without variants yet,
 * has EXPERIMENT_LONG_NS per launch by default. */
void variants_set_time(struct experiment_plan *plan, const struct options *options);

/* Make PLAN: its variants, which the caller frees, are all combinations of the values of OPTIONS.
 * Returns 0, or a negative errno with ERROR set. */
int variants_make_plan(struct experiment_plan *plan, const struct options *options,
                       struct error *error);
