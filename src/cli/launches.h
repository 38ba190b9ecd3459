/* A measurement made of several launches. */
#ifndef NFSBENCH_CLI_LAUNCHES_H
#define NFSBENCH_CLI_LAUNCHES_H

#include "cli/launch_options.h"
#include "output/result.h"
#include "run/plan.h"

/* Make the launches of SHAPE, one after the other, and report what comes of all (REPORT, which
 * returns an exit status) whatever ended them. *STATUS is the exit status. 0, or a negative errno
 * with ERROR set where there is nothing to report. */
int launches_measure(const struct run_plan *plan, const struct options *options,
                     const struct launches_shape *shape,
                     int (*report)(const struct result *result, const struct options *options),
                     int *status, struct error *error);

#endif
