/* nfsbench run JOBS.ini: several measurements, one after another. */
#ifndef NFSBENCH_CLI_JOBS_H
#define NFSBENCH_CLI_JOBS_H

#include "cli/options.h"

/* Is the only word the name of a job file? */
bool jobs_are_asked_for(const struct options *options);

/* Check all jobs of the file, then run them, each in a process of its own. 0 with the exit status
 * of the job that ended worst in *STATUS; or a negative errno with ERROR set, before any job has
 * begun, if the file or one of its jobs is wrong. */
int jobs_run(const struct options *options, int *status, struct error *error);

#endif
