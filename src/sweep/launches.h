/* An experiment in several launches. Each launch makes the complete experiment once. */
#pragma once

#include "job/launches.h"
#include "sweep/experiment.h"

struct experiment_launches {
    const struct experiment_plan *plan;
    struct experiment_run run; /* the merged experiment; the caller frees it, also after an error */
};

/* `merge` of struct launches_job. CONTEXT is a struct experiment_launches. */
int experiment_merge_launches(void *context, const struct launches_made *made, void **result,
                              struct error *error);
