/* A command that makes calls, from its set-up to its exit status. */
#pragma once

#include "job/forms.h"
#include "output/result/result.h"

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
    forms_printer *print; /* NULL: prints the view of its kind */
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

/* The exit status after a run with that VALIDITY. With --quiet, a verdict that changes it is
 * printed as a line on standard error. */
int job_judge(const struct validity *validity, const struct options *options);
