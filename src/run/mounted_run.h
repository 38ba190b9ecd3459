/* The series of a run on a mount, and their blocks: a block counts only if the kernel's client sent
 * exactly the calls that it should have sent, by /proc/self/mountstats. */
#pragma once

#include "run/series.h"

/* Add the baselines and the ops, each tried once. Returns 0, or a negative errno with ERROR set. */
int mounted_run_add_ops(struct series_set *set, struct error *error);

/* Make BLOCK's calls of SERIES, which are prepared. If other RPCs were sent than should be, the
 * block is made again, a few times at most. Returns 0; -EPROTO with ERROR set if all of them were
 * such; or another negative errno. */
int mounted_run_block(struct series_set *set, struct run_series *series, struct block *block,
                      struct engine_tally *tally, struct error *error);

/* The warm-up is over: discard what was counted. */
void mounted_run_begin(struct mounted_series *series);
