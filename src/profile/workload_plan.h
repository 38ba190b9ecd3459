/* Plans a run that makes calls like those of a workload, with the workload's mix, sizes, offsets
 * and clients. The times of calls follow think times or, if the user gives a rate, arrivals. */
#pragma once

#include "job/options.h"

/* The function plan_file of struct command. */
int workload_plan(struct run_plan *plan, const struct options *options, const char *file,
                  struct error *error);
