/* Parts of the measuring command that nfsbench-mpi, --versus and explain use, too. */
#pragma once

#include <stdio.h>

#include "cli/options.h"
#include "output/result.h"
#include "output/versus.h"
#include "run/plan.h"

/* Print the result, and write it in every form that was asked for. 0, or a negative errno with
 * ERROR set. */
int measure_write_result(const struct options *options, const struct result *result,
                         struct error *error);

/* With --quiet, print a verdict that changes the exit status as a line on standard error. */
void measure_warn(const struct validity *validity, const struct options *options);

/* The exit status after a run with that verdict. */
int measure_exit_status(enum verdict verdict, const struct options *options);

/* Print what TARGET, OP and COUNT can be, for the help. */
void measure_print_words(FILE *out);

/* How the error that ended a run is reported: printed; or, within a launch, sent to its parent,
 * unless the run MEASURED something, whose result has the error. */
void measure_report_error(const struct error *error, const struct options *options, bool measured);

/* Report a run's result, to which it may add what is known of earlier ones. Returns the exit
 * status. */
typedef int measure_reporter(struct result *result, const struct options *options);

/* nfsbench TARGET --versus TARGET2: measure FIRST and, beside it in the same rounds, the second
 * side that OPTIONS name, in the launches of SHAPE (NULL: this process is one of
 * them). 0 with the exit status in *STATUS, or a negative
 * errno with ERROR set. */
int measure_versus(const struct run_plan *first, const struct options *options,
                   const struct launches_shape *shape, int *status, struct error *error);

/* A measurement of several launches. */
struct launches_job {
    const struct run_plan *plans[2]; /* of both sides; the second one is NULL without one */
    struct launches_shape shape;
    /* Report the merged result of one side, or of two. Return the exit status. */
    measure_reporter *report;
    int (*report_sides)(const struct versus_result *versus, const struct options *options);
};

/* Make JOB's launches one after another, and report their merged result, whatever ended them. 0
 * with *STATUS set, or a negative errno with ERROR set if there is nothing to report. */
int measure_launches(const struct launches_job *job, const struct options *options, int *status,
                     struct error *error);

/* Is the only word a host without an export? */
bool services_are_asked_for(const struct options *options);

/* Ask that host for its services and exports, print them, and write them in the forms that were
 * asked for. 0, or a negative errno with ERROR set, also for a host without NFS version 3. */
int services_show(const struct options *options, struct error *error);
