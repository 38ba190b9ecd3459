/* What `nfsbench run` and nfsbench-mpi both call. */
#pragma once

#include <stdio.h>

#include "cli/command_line.h"
#include "job/job.h"
#include "output/result/result.h"

/* Print RESULT, a measurement. */
void measure_print(const struct options *options, const void *result, FILE *out);

/* Is the only word a host without an export? */
bool services_are_asked_for(const struct options *options);

/* Ask that host for its services and exports, print them, and write them in the forms that were
 * asked for. 0, or a negative errno with ERROR set, also for a host without NFS version 3. */
int services_show(const struct options *options, struct error *error);
