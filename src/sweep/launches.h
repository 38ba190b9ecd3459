/* An experiment that consists of several launches, each of which makes the whole once. */
#pragma once

#include "job/launches.h"
#include "sweep/experiment.h"

struct experiment_launches {
    const struct experiment_plan *plan; /* of each launch */
    struct experiment_run run; /* what comes of them; the caller frees it, after an error, too */
};

/* As the MERGE of a struct launches_job, of a struct experiment_launches. */
int experiment_merge_launches(void *context, const struct launches_made *made, void **result,
                              struct error *error);
