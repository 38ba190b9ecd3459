/* A measurement in several launches: processes of this program in turn, with merged results. */
#pragma once

#include "job/job.h"
#include "job/launch_process.h"

/* The completed launches, for a caller that makes more than their merged result. */
struct launches_made {
    const struct launch_report *reports; /* each has a result */
    size_t done, planned;
    time_t started;
    const struct result *sides[2]; /* merged results of two sides; both NULL if there is one side */
    const char *cut_short_by;      /* why launches are missing; NULL: none is missing */
    bool interrupted; /* Ctrl-C ended the launches; this does not make the result suspect */
};

/* A measurement of several launches. */
struct launches_job {
    const struct run_plan *plans[2]; /* plans of both sides; the second may be NULL */
    struct launches_shape shape;
    const struct job *job; /* reports the merged result */
    /* Set *RESULT to a result made from MADE, in place of the first side's merged result. Returns
     * 0, or a negative errno with ERROR set. With this function, each launch starts its own server
     * of self:, and there are at most LAUNCHES_MERGED_MAXIMUM launches. NULL: not used. */
    int (*merge)(void *context, const struct launches_made *made, void **result,
                 struct error *error);
    void *context;
};

/* Make JOB's launches one after another and report their merged result, also after an early end.
 * Returns 0 with *STATUS set, or a negative errno with ERROR set if there is nothing to report. */
int measure_launches(const struct launches_job *job, const struct options *options, int *status,
                     struct error *error);
