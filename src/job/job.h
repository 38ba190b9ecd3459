/* A command that makes calls, from its set-up to its exit status. */
#pragma once

#include "job/forms.h"
#include "output/result/result.h"

/* The steps of a command that makes calls on a server. Each job has its own type of RUN. Unless a
 * comment says otherwise, functions returning int return 0, or a negative errno with ERROR set. */
struct job {
    enum result_kind kind; /* kind of the job's result */
    /* Set up and measure. Ctrl-C ends the measurement: an error unless the job is ENDLESS. */
    int (*measure)(void *run, struct error *error);
    /* Remove the set-up, however the run ended. An error of the removal is only printed, and only
     * if MEASURE succeeded. NULL: there is nothing to remove. */
    int (*take_down)(void *run, struct error *error);
    /* Set *RESULT, which is NULL before the call, to the measurements, if there are any.
     * CUT_SHORT_BY says why the run ended early (NULL: it was completed). */
    int (*result)(void *run, const char *cut_short_by, void **result, struct error *error);
    /* Return the exit status for RESULT, and print a warning if necessary. NULL: the status follows
     * from RESULT's verdict; 0 without a verdict. */
    int (*judge)(const struct job *job, const struct options *options, void *result);
    forms_printer *print; /* prints RESULT; NULL: the view of KIND is printed */
    /* Write RESULT to the file of --output. Called only if the option is given. */
    int (*write_output)(const struct options *options, const void *result, struct error *error);
    bool judged_if_interrupted; /* a result that Ctrl-C cut short is still judged */
    bool endless;               /* Ctrl-C is the usual end of the job, and no error */
};

/* Measure RUN by JOB, remove RUN's set-up, and report the result and any error: to the user or,
 * within a launch, to the parent process. Returns the exit status. */
int job_run(const struct job *job, void *run, const struct options *options);

/* Report RESULT to the user, and judge it. Returns the exit status. */
int job_report(const struct job *job, const struct options *options, void *result);

/* Return the exit status for a result with VALIDITY: 0, or 1; with --quiet, print why it is 1. */
int job_judge(const struct validity *validity, const struct options *options);
