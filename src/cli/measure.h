/* Parts of the measuring command that nfsbench-mpi, experiments and explain use, too. */
#pragma once

#include <stdio.h>

#include "cli/command.h"
#include "output/result.h"
#include "run/experiment.h"

/* Print RESULT, a measurement. */
void measure_print(const struct options *options, const void *result, FILE *out);

/* The exit status after a run with that VALIDITY. With --quiet, a verdict that changes it is
 * printed as a line on standard error. */
int measure_judge(const struct validity *validity, const struct options *options);

/* Print what TARGET, OP and COUNT can be, for the help. */
void measure_print_words(FILE *out);

/* A command that makes calls on a server: what it does with its run, of a type of its own.
 * Functions that return int return 0, or a negative errno with ERROR set, if nothing else is said.
 */
struct job {
    enum result_kind kind; /* of its result */
    /* Set up, and measure. Ctrl-C ends it, with an error unless the job is endless. */
    int (*measure)(void *run, struct error *error);
    /* Take down what was set up, whatever ended the run. NULL: nothing is left. */
    int (*take_down)(void *run, struct error *error);
    /* Set *RESULT, which is NULL before, to what was measured, if anything was, until CUT_SHORT_BY,
     * the line that says what ended the run (NULL: it was completed). */
    int (*result)(void *run, const char *cut_short_by, void **result, struct error *error);
    /* The exit status after RESULT, about which it may warn; NULL: by its verdict, if it has one.
     */
    int (*judge)(const struct job *job, const struct options *options, void *result);
    command_printer *print; /* NULL: prints the view of its kind */
    /* Write what --output names, if it is given. */
    int (*write_output)(const struct options *options, const void *result, struct error *error);
    bool judged_if_interrupted; /* Ctrl-C just ends it early */
    bool endless;               /* Ctrl-C is its usual end */
};

/* Have JOB measure RUN, take down what it has set up, and report the result and what ended
 * it; within a launch, to its parent. Returns the exit status. */
int job_run(const struct job *job, void *run, const struct options *options);

/* Only the report. */
int job_report(const struct job *job, const struct options *options, void *result);

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

/* Measure FIRST and, beside it in the same rounds, the second side that OPTIONS name, in the
 * launches of SHAPE (NULL: this process is one of them). 0 with the exit status in *STATUS, or a
 * negative errno with ERROR set. */
int measure_sides(const struct run_plan *first, const struct options *options,
                  const struct launches_shape *shape, int *status, struct error *error);

/* Is the only word a host without an export? */
bool services_are_asked_for(const struct options *options);

/* Ask that host for its services and exports, print them, and write them in the forms that were
 * asked for. 0, or a negative errno with ERROR set, also for a host without NFS version 3. */
int services_show(const struct options *options, struct error *error);
