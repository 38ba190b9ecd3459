/* Trials at the limit of a curve, which are the cells of one op, variant and size. Where the
 * throughput no longer grows with the load, the same load is measured with one thing changed, in
 * turn with the unchanged load, so that the change shows what limits the throughput
 * (experiment/laws/bottleneck.h). Each trial is a short visit, with connections of its own. */
#pragma once

#include "sweep/experiment.h"

/* In the order in which they are made: the cheapest first, since a trial for which there is no time
 * is left out. The first two need no change of the load, and are made in one visit. */
enum diagnosis_trial {
    TRIAL_NULL,        /* NULL calls beside the load */
    TRIAL_PAUSE,       /* the first calls after a pause */
    TRIAL_UNSTABLE,    /* UNSTABLE in place of stable WRITEs */
    TRIAL_SIZE,        /* another size of READ or WRITE */
    TRIAL_CONNECTIONS, /* as many calls in flight over more connections */
    DIAGNOSIS_TRIALS,
};

/* The rounds of a trial, and about what a visit and the pause take in all. */
#define DIAGNOSIS_TRIAL_NS UINT64_C(300000000)
#define DIAGNOSIS_VISIT_NS (2 * DIAGNOSIS_TRIAL_NS)
#define DIAGNOSIS_PAUSE_NS UINT64_C(650000000)

/* Make PLAN that of the trials of VARIANT: of the op alone, and without a number of calls. What
 * limits calls at a rate is what limits a closed loop with enough calls in flight. Returns 0 or a
 * negative errno with ERROR set. */
int diagnosis_make_closed(const struct variant *variant, struct run_plan *plan,
                          struct error *error);

/* Change PLAN, a settled closed loop, to that of TRIAL on a server that takes LIMITS, and settle
 * it. False: its op, size or load has no such trial. TRIAL_NULL and TRIAL_PAUSE change nothing. */
bool diagnosis_change(enum diagnosis_trial trial, const struct nfs_size_limits *limits,
                      struct run_plan *plan);

/* How long the trials of PLAN, whose variants are settled, should take, ns. 0: there are none,
 * since no curve has several loads with several calls in flight. */
uint64_t diagnosis_time(const struct experiment_plan *plan);

/* Is CELL the limit of its curve: has it the largest load of those that were measured? */
bool diagnosis_is_limit(const struct experiment_result *result, const struct experiment_cell *cell);

/* Why the limit CELL, whose plan is PLAN, has no trials: a clause. NULL: it has some. The intervals
 * of RESULT's cells are known. */
const char *diagnosis_why_none(const struct experiment_result *result,
                               const struct experiment_cell *cell, const struct run_plan *plan);

/* Make the trials of RUN, whose visits are over, and set its result's diagnoses: one of each limit,
 * of the first ones while there is time. A trial that fails is left out. Returns 0, or -EINTR with
 * ERROR set. */
int experiment_diagnose(struct experiment_run *run, struct error *error);

/* RUN has measured nothing, since its time is too short: give up the time that is kept for the
 * trials. Returns false if none is. */
bool diagnosis_give_up_time(struct experiment_run *run);
