/* A measurement made of several launches. */
#ifndef NFSBENCH_CLI_LAUNCHES_H
#define NFSBENCH_CLI_LAUNCHES_H

#include "cli/launch_options.h"
#include "output/result.h"
#include "run/plan.h"

/* Make the launches of SHAPE one after another, and report the merged result by REPORT, which
 * returns the exit status, whatever ended them. 0 with *STATUS set, or a negative errno with ERROR
 * set if there is nothing to report. */
int launches_measure(const struct run_plan *plan, const struct options *options,
                     const struct launches_shape *shape,
                     int (*report)(const struct result *result, const struct options *options),
                     int *status, struct error *error);

#endif
