/* Trials at the limit of a curve (the cells of one op, variant and size), where the throughput no
 * longer grows with the load. Most trials measure the same load with one thing changed, in a short
 * visit with its own connections, between visits with the unchanged load. The trials' results show
 * what limits the throughput (experiment/laws/bottleneck.h). */
#pragma once

#include "sweep/experiment.h"

/* Trials, in the order in which they are made. A trial is left out if there is no time for it.
 * TRIAL_NULL and TRIAL_PAUSE keep the load, and share one visit. */
enum diagnosis_trial {
    TRIAL_NULL,        /* NULL calls while the load runs */
    TRIAL_PAUSE,       /* the first calls after a pause */
    TRIAL_UNSTABLE,    /* UNSTABLE WRITEs instead of stable ones */
    TRIAL_SIZE,        /* another size of READ or WRITE */
    TRIAL_CONNECTIONS, /* the same number of calls in flight over more connections */
    DIAGNOSIS_TRIALS,
};

/* TRIAL_NS: duration of a trial's rounds. VISIT_NS: approximate duration of a complete visit, to
 * which IN_FLIGHT_NS is added for each of up to 64 calls in flight, because a block has at least
 * twice as many calls as are in flight. PAUSE_NS: duration of the pause trial. */
#define DIAGNOSIS_TRIAL_NS     UINT64_C(300000000)
#define DIAGNOSIS_VISIT_NS     (2 * DIAGNOSIS_TRIAL_NS)
#define DIAGNOSIS_IN_FLIGHT_NS UINT64_C(10000000)
#define DIAGNOSIS_PAUSE_NS     UINT64_C(650000000)

/* Set PLAN to the load that VARIANT's trials are compared with: a closed loop of the op alone,
 * without a number of calls. If VARIANT has a rate, it is dropped, because what limits the calls at
 * this rate also limits a closed loop with many calls in flight (EXPERIMENT_FULL_DEPTH, if VARIANT
 * has no depth). Returns 0 or a negative errno with ERROR set. */
int diagnosis_make_closed(const struct variant *variant, struct run_plan *plan,
                          struct error *error);

/* Change PLAN, a complete closed loop, to the plan of TRIAL on a server with the size limits
 * LIMITS. TRIAL_NULL and TRIAL_PAUSE change nothing. Returns false if PLAN's op, size or load has
 * no trial of this kind, or the new plan is refused. */
bool diagnosis_change(enum diagnosis_trial trial, const struct nfs_size_limits *limits,
                      struct run_plan *plan);

/* Return the usual duration of all trials of PLAN, whose variants are complete, ns. 0: there are no
 * trials, because no curve has several loads. */
uint64_t diagnosis_time(const struct experiment_plan *plan);

/* Return true if CELL is its curve's limit: the first, by index, with units at the largest load. */
bool diagnosis_is_limit(const struct experiment_result *result, const struct experiment_cell *cell);

/* Return why CELL, a limit measured by PLAN, has no trials: a clause, or NULL if it has trials.
 * RESULT's cells have intervals. */
const char *diagnosis_why_none(const struct experiment_result *result,
                               const struct experiment_cell *cell, const struct run_plan *plan);

/* Make the trials of RUN, whose visits are over, until the time is over, and set a diagnosis for
 * each limit in RUN's result, up to EXPERIMENT_GROUPS_MAXIMUM. A trial that fails is left out.
 * Returns 0, or -EINTR with ERROR set. */
int experiment_diagnose(struct experiment_run *run, struct error *error);

/* Give the variants the time that RUN reserves for trials, because no unit could be measured.
 * Returns true; or false, without a change, if no time was reserved or units were measured. */
bool diagnosis_give_up_time(struct experiment_run *run);
