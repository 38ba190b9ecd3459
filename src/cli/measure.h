/* Functions that `nfsbench run` and nfsbench-mpi share. */
#pragma once

#include <stdio.h>

#include "cli/command_line.h"
#include "job/job.h"
#include "output/result/result.h"

void measure_print(const struct options *options, const void *result, FILE *out);

/* Return whether the only argument is a host without an export, whose services are then shown. */
bool services_are_asked_for(const struct options *options);

/* Ask the host for its services and exports, and print them in all requested forms. Returns 0, or a
 * negative errno with ERROR set; a host without NFS version 3 is an error. */
int services_show(const struct options *options, struct error *error);
