/* A measurement in several launches: successive processes whose results are merged. */
#pragma once

#include "job/job.h"
#include "job/launch_process.h"

/* The launches with a result, for a caller that makes its own result from them. */
struct launches_made {
    const struct launch_report *reports; /* DONE reports, each with a result */
    size_t done, planned;
    time_t started;
    /* merged results of both sides; both NULL if there is only one side */
    const struct result *sides[2];
    const char *cut_short_by; /* why launches are missing or incomplete; NULL: all are complete */
    bool interrupted; /* Ctrl-C ended the launches, which does not make the result suspect */
};

struct launches_job {
    const struct run_plan *plans[2]; /* plans of both sides; the second may be NULL */
    struct launches_shape shape;
    const struct job *job; /* job that reports the merged result */
    /* Set *RESULT to a result made from MADE. Returns 0, or a negative errno with ERROR set. If
     * MERGE is NULL, the result is the first side's merged result. If MERGE is not NULL, each
     * launch starts its own server of self:, and there are LAUNCHES_MERGED_MAXIMUM launches at
     * most. */
    int (*merge)(void *context, const struct launches_made *made, void **result,
                 struct error *error);
    void *context;
};

/* Make JOB's launches in turn (their number may be adapted to time and precision), and report
 * any results, even after an early end. Returns 0 with *STATUS set, or -ENOMEM with ERROR set. */
int measure_launches(const struct launches_job *job, const struct options *options, int *status,
                     struct error *error);
