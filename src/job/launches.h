/* A measurement that consists of several launches: processes of this program, one after another,
 * whose results are merged. */
#pragma once

#include "job/job.h"
#include "job/launch_process.h"

/* Launches that have been made, for whoever makes more of them than the results of the sides. */
struct launches_made {
    const struct launch_report *reports; /* each with a result */
    size_t done, planned;
    time_t started;
    const struct result *sides[2]; /* merged; NULL: there is no such side */
    const char *cut_short_by;      /* the line that says why there are less than planned; NULL */
    bool interrupted;              /* by Ctrl-C, which is no reason to doubt what was measured */
};

/* A measurement of several launches. */
struct launches_job {
    const struct run_plan *plans[2]; /* of both sides; the second one is NULL without one */
    struct launches_shape shape;
    const struct job *job; /* by which the merged result is reported */
    /* What comes of MADE instead of the first side's result: set *RESULT. 0, or a negative errno
     * with ERROR set. NULL: that result. Such launches start the server of self: themselves, and
     * are LAUNCHES_MERGED_MAXIMUM at most. */
    int (*merge)(void *context, const struct launches_made *made, void **result,
                 struct error *error);
    void *context;
};

/* Make JOB's launches one after another, and report their merged result, whatever ended them. 0
 * with *STATUS set, or a negative errno with ERROR set if there is nothing to report. */
int measure_launches(const struct launches_job *job, const struct options *options, int *status,
                     struct error *error);
