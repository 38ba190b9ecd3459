/* The plan of a run that makes calls like those of a workload: its mix, sizes, places and clients,
 * with its think times or, with a rate, its arrivals. */
#pragma once

#include "job/options.h"

/* As struct command's plan_file. */
int workload_plan(struct run_plan *plan, const struct options *options, const char *file,
                  struct error *error);
