/* Parts of the measuring command that nfsbench-mpi, --versus and explain use, too. */
#ifndef NFSBENCH_CLI_MEASURE_H
#define NFSBENCH_CLI_MEASURE_H

#include <stdio.h>

#include "cli/options.h"
#include "output/result.h"
#include "run/plan.h"

/* Can the files that OPTIONS ask for be written? To be called before the run. 0, or a
 * negative errno with ERROR set. */
int measure_check_forms(const struct options *options, struct error *error);

/* Print the result, and write it in every form that was asked for. 0, or a negative errno with
 * ERROR set. */
int measure_write_result(const struct options *options, const struct result *result,
                         struct error *error);

/* With --quiet, print a verdict that changes the exit status as a line on standard error. */
void measure_warn(const struct result *result, const struct options *options);

/* The exit status after a run with that verdict. */
int measure_exit_status(enum verdict verdict, const struct options *options);

/* Print what TARGET, OP and COUNT can be, for the help. */
void measure_print_words(FILE *out);

/* nfsbench TARGET --versus TARGET2: measure FIRST and, beside it in the same rounds, the second
 * side that OPTIONS name. 0 with the exit status in *STATUS, or a negative errno with ERROR set. */
int measure_versus(const struct run_plan *first, const struct options *options, int *status,
                   struct error *error);

/* Make the launches of SHAPE one after another, and report the merged result by REPORT, which
 * returns the exit status, whatever ended them. 0 with *STATUS set, or a negative errno with ERROR
 * set if there is nothing to report. */
int measure_launches(const struct run_plan *plan, const struct options *options,
                     const struct launches_shape *shape,
                     int (*report)(const struct result *result, const struct options *options),
                     int *status, struct error *error);

#endif
