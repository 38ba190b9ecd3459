/* The plans of an experiment's variants, from the options that have several values. */
#pragma once

#include "job/options.h"
#include "sweep/experiment.h"

/* Set PLAN's OPS, VARIED and MARGIN from its first variant and sweep_own. */
void variants_describe(struct experiment_plan *plan);

/* Set PLAN's times, and its variants' time limits and deadlines. The total is the time in OPTIONS.
 * If OPTIONS have no time, the total is EXPERIMENT_UNIT_NS for each unit, plus the time of the
 * trials. For a search, and for a ladder whose variants are not known yet, it is then
 * EXPERIMENT_LONG_NS for each launch. With COUNT, only a search has a deadline. */
void variants_set_time(struct experiment_plan *plan, const struct options *options);

/* Make PLAN except its PRESET. Its variants, which the caller frees in any case, are all
 * combinations of sweep_own's values. Returns 0, or a negative errno with ERROR set. */
int variants_make_plan(struct experiment_plan *plan, const struct options *options,
                       struct error *error);
