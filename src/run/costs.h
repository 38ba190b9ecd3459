/* From a session's series to what each op costs. */
#ifndef NFSBENCH_RUN_COSTS_H
#define NFSBENCH_RUN_COSTS_H

#include "measure/above_null.h"
#include "measure/cost_model.h"
#include "output/result.h"
#include "run/session.h"

/* What an op's costs are estimated from, and the estimates with their replicates. */
struct op_costs {
    const struct series *series;
    struct cost_lengths lengths;
    struct above_null above_null; /* where the result's op has one */
    struct cost_split split;      /* likewise */
};

struct costs {
    struct op_costs *ops; /* by the result's ops */
    size_t count;
    struct resampling resampling; /* that all estimates are by */
    struct cost_points_by points; /* that the model was made from */
    struct cost_model model;
};

/* The lengths of SERIES' calls, on the wire. */
struct cost_lengths costs_lengths(const struct session *session, const struct run_series *series);

/* Estimate the costs of RESULT's ops, which are there, and fill them in: above null, the model, and
 * the parts of each cost. COSTS' ops have their series and lengths. 0 or -ENOMEM. */
int costs_fill(struct costs *costs, struct result *result, const struct session *session,
               struct error *error);

#endif
