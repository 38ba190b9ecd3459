/* Estimates the cost of each op from the measurements. */
#pragma once

#include "measure/statistics/above_null.h"
#include "measure/statistics/cost_model.h"
#include "output/result/result.h"
#include "run/outcome/measured.h"

/* The data from which an op's costs are estimated, and the estimates with their replicates. */
struct op_costs {
    const struct series *series;
    struct cost_lengths lengths;
    struct above_null above_null; /* set only if the result's op has a cost above NULL */
    struct cost_split split;      /* set only if the result's op has a split of its cost */
};

struct costs {
    struct op_costs *ops; /* costs of the ops, in the order of the result's ops */
    size_t count;
    struct regimes regimes;       /* the rounds, divided where their level changes */
    struct resampling resampling; /* shared by all estimates */
    struct cost_points_by points; /* the points to which the model is fitted */
    const char *call_op;          /* op of the points that differ in the call's length */
    struct cost_model model;
};

/* Estimate for RESULT the costs above NULL of its ops, the cost model, the components of each cost,
 * the regimes, and the durations of the witness' exchanges. The caller has set RESULT's ops, and
 * the series and lengths of COSTS' ops. Without NULL calls, choose only the resampling. The
 * resampling draws blocks of at least BLOCK rounds (0: no minimum). Returns 0 or -ENOMEM. */
int costs_fill(struct costs *costs, struct result *result, const struct measured *measured,
               size_t block, struct error *error);
