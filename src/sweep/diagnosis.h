/* Trials at the limit of a curve (the cells of one op, variant and size), where the throughput no
 * longer grows with the load. A trial measures the same load with one thing changed, between
 * measurements of the unchanged load. The change shows what limits the throughput
 * (experiment/laws/bottleneck.h). Each trial is a short visit with its own connections. */
#pragma once

#include "sweep/experiment.h"

/* In the order of the trials. The cheapest come first, because a trial without time is left out.
 * The first two need no change of the load and share one visit. */
enum diagnosis_trial {
    TRIAL_NULL,        /* NULL calls while the load runs */
    TRIAL_PAUSE,       /* the first calls after a pause */
    TRIAL_UNSTABLE,    /* UNSTABLE WRITEs instead of stable ones */
    TRIAL_SIZE,        /* another size of READ or WRITE */
    TRIAL_CONNECTIONS, /* as many calls in flight over more connections */
    DIAGNOSIS_TRIALS,
};

/* Duration of a trial's rounds; approximate duration of a complete visit, with an addition for each
 * call in flight, because blocks have twice as many calls; and of the pause trial. */
#define DIAGNOSIS_TRIAL_NS     UINT64_C(300000000)
#define DIAGNOSIS_VISIT_NS     (2 * DIAGNOSIS_TRIAL_NS)
#define DIAGNOSIS_IN_FLIGHT_NS UINT64_C(10000000)
#define DIAGNOSIS_PAUSE_NS     UINT64_C(650000000)

/* Make PLAN the base of VARIANT's trials: a closed loop of the op alone, without a number of calls.
 * What limits calls at a rate also limits a closed loop with enough calls in flight. Returns 0 or a
 * negative errno with ERROR set. */
int diagnosis_make_closed(const struct variant *variant, struct run_plan *plan,
                          struct error *error);

/* Change PLAN, a complete closed loop, to that of TRIAL on a server with the size limits LIMITS.
 * Returns false if its op, size or load has no such trial. TRIAL_NULL, TRIAL_PAUSE: no change. */
bool diagnosis_change(enum diagnosis_trial trial, const struct nfs_size_limits *limits,
                      struct run_plan *plan);

/* Return the usual time of the trials of PLAN, whose variants are complete, ns. 0: there are none,
 * because no curve has several loads with several calls in flight. */
uint64_t diagnosis_time(const struct experiment_plan *plan);

/* Return true if CELL is the limit of its curve: it has the largest load that was measured. */
bool diagnosis_is_limit(const struct experiment_result *result, const struct experiment_cell *cell);

/* Return why the limit CELL with PLAN has no trials, a clause; NULL: it has. RESULT's cells have
 * intervals. */
const char *diagnosis_why_none(const struct experiment_result *result,
                               const struct experiment_cell *cell, const struct run_plan *plan);

/* Make the trials of RUN, whose visits are over, and set its result's diagnoses: one for each
 * limit, until the time is over. A trial that fails is left out. Returns 0, or -EINTR with ERROR
 * set. */
int experiment_diagnose(struct experiment_run *run, struct error *error);

/* Give up the time that RUN keeps for the trials, because RUN has measured nothing in too short a
 * time. Returns false if there is no such time. */
bool diagnosis_give_up_time(struct experiment_run *run);
