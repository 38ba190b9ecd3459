/* Estimates the cost of each op from what was measured. */
#pragma once

#include "measure/statistics/above_null.h"
#include "measure/statistics/cost_model.h"
#include "output/result/result.h"
#include "run/outcome/measured.h"

/* The data from which an op's costs are estimated, and the estimates with their replicates. */
struct op_costs {
    const struct series *series;
    struct cost_lengths lengths;
    struct above_null above_null; /* if the result's op has one */
    struct cost_split split;      /* likewise */
};

struct costs {
    struct op_costs *ops; /* in the order of the result's ops */
    size_t count;
    struct regimes regimes;       /* of the rounds */
    struct resampling resampling; /* of all estimates */
    struct cost_points_by points; /* to which the model is fitted */
    struct cost_model model;
};

/* Estimate the costs above null of RESULT's ops, the model, and the parts of each cost, and store
 * them in RESULT. The caller has set RESULT's ops, and the series and lengths of COSTS' ops.
 * Resampling takes at least BLOCK consecutive rounds together (0: what the rounds require). Returns
 * 0 or -ENOMEM. */
int costs_fill(struct costs *costs, struct result *result, const struct measured *measured,
               size_t block, struct error *error);
