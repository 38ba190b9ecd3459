/* A security ladder: ops by each security flavor that the server offers. A trial measures one of
 * them and AUTH_SYS as two sides of the same rounds (run/group.h), over one call at a time or
 * under load. As in a sweep, all trials are repeated, in a new random order for each pass, and
 * intervals come from the spread between them. */
#pragma once

#include "output/experiment.h"
#include "run/sweep.h"

/* How calls are secured. */
struct sec_setting {
    const char *name; /* as mount's sec= or xprtsec= */
    uint32_t flavor;
    enum rpc_xprtsec xprtsec; /* NONE: as the plan has it */
};

/* What can't be measured, if a trial fails. */
enum sec_failure {
    SEC_FAILURE_ALL,    /* nothing: it is not the setting's fault */
    SEC_FAILURE_POINT,  /* this op by the setting */
    SEC_FAILURE_FLAVOR, /* nothing by the setting: the server can't be talked to by it */
};

/* Measure PLAN, which has one op and calls by AUTH_SYS, and beside it the same by SETTING. Returns
 * 0; or a negative errno with ERROR and *FAILURE set. */
int sec_trial_make(const struct run_plan *plan, const struct sec_setting *setting,
                   struct trial *trial, enum sec_failure *failure, struct error *error);

struct trials sec_trials_of(struct experiment_cell *point);

/* Fill in the intervals and lines of LADDER, from the figures of its points' repeats; judge it,
 * with what made its trials doubtful. */
void sec_ladder_analyse(struct experiment_result *ladder, const struct sweep_doubts *doubts);

struct sec_ladder_observer {
    void *context;
    void (*trial_done)(void *context, const struct experiment_result *ladder,
                       const struct experiment_cell *point);
};

struct sec_ladder_run {
    const struct sweep_plan *plan;
    const struct sec_ladder_observer *observer;
    struct experiment_result ladder; /* the result; refers to the other members and to PLAN */
    struct random random;
    struct sweep_doubts doubts;
    struct trial_environment environment; /* the first trial's */
    bool *given_up;                       /* for each point: it is not tried again */
    struct arena arena;
};

/* Measure the ops of PLAN's base, which calls by AUTH_SYS: those that move data in PLAN's sizes (by
 * default 4 KiB, 64 KiB and 1 MiB, as far as the server takes them), and all with as many calls in
 * flight as PLAN says (by default 64). A flavor that can't be had is left out, with the reason.
 * NO_KERBEROS: why the embedded server does not offer it; NULL: it does, or is not the server.
 * Returns 0, or the error that ended it early (-EINTR for Ctrl-C) with ERROR set; the ladder then
 * has what was measured so far. Call sec_ladder_run_free() in either case. */
int sec_ladder_run(struct sec_ladder_run *run, const struct sweep_plan *plan,
                   const char *no_kerberos, const struct sec_ladder_observer *observer,
                   struct error *error);
void sec_ladder_run_free(struct sec_ladder_run *run);
