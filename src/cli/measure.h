/* Parts of the measuring command that nfsbench-mpi and experiments use, too. */
#pragma once

#include <stdio.h>

#include "cli/command_line.h"
#include "job/job.h"
#include "output/result/result.h"
#include "run/experiment/experiment.h"

/* Print RESULT, a measurement. */
void measure_print(const struct options *options, const void *result, FILE *out);

/* A measurement of several launches. */
struct launches_job {
    const struct run_plan *plans[2]; /* of both sides; the second one is NULL without one */
    struct launches_shape shape;
    const struct experiment_plan *experiment; /* that each launch makes; NULL: a measurement */
    const struct job *job;                    /* by which the merged result is reported */
};

/* Make JOB's launches one after another, and report their merged result, whatever ended them. 0
 * with *STATUS set, or a negative errno with ERROR set if there is nothing to report. */
int measure_launches(const struct launches_job *job, const struct options *options, int *status,
                     struct error *error);

/* Measure both sides of PLANS in the same rounds, in the launches of SHAPE (NULL: this process is
 * one of them). 0 with the exit status in *STATUS, or a negative errno with ERROR set. */
int measure_sides(const struct run_plan plans[SIDES], const struct options *options,
                  const struct launches_shape *shape, int *status, struct error *error);

/* Is the only word a host without an export? */
bool services_are_asked_for(const struct options *options);

/* Ask that host for its services and exports, print them, and write them in the forms that were
 * asked for. 0, or a negative errno with ERROR set, also for a host without NFS version 3. */
int services_show(const struct options *options, struct error *error);

/* Make PLANS as plan_make() and plan_make_second() do, also where the op is mix:FILE and that is a
 * workload (workload/workload.h): its mix, sizes, places and clients, with its think times or, with
 * a rate, its arrivals. */
int plan_make_any(struct run_plan plans[SIDES], const struct options *options, struct error *error);
