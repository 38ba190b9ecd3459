/* nfsbench sweep --find-max: the highest rate that holds a latency objective. */
#ifndef NFSBENCH_CLI_FIND_MAX_H
#define NFSBENCH_CLI_FIND_MAX_H

#include "cli/sweep_plan.h"
#include "common/random.h"

/* Search below SWEEP's full rate; its points become the probes, in their order, and its objective
 * the result. SHOWN: tell of each probe on standard error. 0, or what ended it with ERROR set; what
 * was found until then is in SWEEP. */
int find_max(const struct sweep_plan *plan, struct sweep *sweep, struct random *random, bool shown,
             struct error *error);

#endif
