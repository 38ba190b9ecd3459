/* The series of a run: NULL, its control, the ops, and series for the cost model. The role of a
 * series is its purpose; one table has the properties of each role. */
#pragma once

#include "engine/local.h"
#include "measure/rounds.h"
#include "measure/statistics/cost_model.h"
#include "nfs/call.h"
#include "run/setup/setup.h"

enum series_role {
    SERIES_NULL,
    SERIES_CONTROL, /* more NULL calls, whose cost above NULL should be 0 */
    SERIES_MIX,     /* the calls of all ops of a mix */
    SERIES_MIX_OP,  /* the calls of one op of a mix */
    SERIES_OP,
    SERIES_LOCAL,        /* the preceding op or mix, made without NFS on local files */
    SERIES_NULLS,        /* as many NULL calls as a sequence has calls: the baseline of its cost */
    SERIES_CALL_LENGTH,  /* NULL calls or WRITEs of a given length */
    SERIES_REPLY_LENGTH, /* READs with replies of a given length */
    SERIES_PAUSE,        /* NULL calls with a pause before each */
    SERIES_ECHO, /* exchanges with the witness (run/witness.h) of the length of an op's calls */
    SERIES_ROLES,
};

struct series_role_type {
    bool is_op;     /* measures a requested op, or its baseline */
    bool in_result; /* the result contains it as an op */
    bool counted;   /* the ledger counts its calls, and their duration is tried beforehand */
    bool awaited;   /* a run without a number of calls continues until its cost is precise */
    bool in_mix;    /* the mix's blocks contain its calls */
    /* The blocks of a series that only explains other series have 1/DIVISOR of the calls. 0: blocks
     * have all calls. */
    unsigned divisor;
};

extern const struct series_role_type series_roles[SERIES_ROLES];

struct run_series {
    enum series_role role;
    size_t index; /* index of the series in the set and in the rounds */
    const char *name;
    char *own_name; /* memory of NAME, if NAME is not a constant; otherwise NULL */
    enum service_kind service;
    /* Series of NULL calls whose level is subtracted from this series' level, which gives the cost;
     * a null pointer: none. */
    const struct run_series *baseline;
    struct nfs_call call;
    struct engine_tally tally;
    struct mounted_series *mounted; /* the engine's data on a mount; NULL: no mount */
    struct local_call local;        /* call of SERIES_LOCAL */
    struct channel_bytes echo;      /* message of SERIES_ECHO, allocated by malloc() */
    struct load_series *load;       /* NULL: without load (see run/load_run.h) */
    double spacing_ns;              /* under load: time from one call to the next; 0: unknown */
    uint64_t tried_ns; /* duration of the first call, if it was tried alone; otherwise 0 */
    double call_ns;    /* time that a call adds to a round, with its preparation and pause, ns */
    double share_ns;   /* CALL_NS; for an op of a mix, multiplied by its weight */
    uint32_t block;    /* calls in a block; not used for an op of a mix */
    uint32_t lead_in;  /* under load: untimed calls at the beginning of a block */
    size_t used;       /* calls of submitted blocks since calls were prepared */
    /* Latest time to prepare and clear up one call's object, ns; 0: unknown. */
    double preparation_ns;
    char *failure;   /* why the series was given up; otherwise NULL */
    double usual_ns; /* usual duration of a call, ns, for series_stalls.c; 0: unknown */
    /* the longest wait while USUAL_NS was 0; FIRST_WAIT_NS is its length */
    struct stall first_wait;
    double first_wait_ns;
    struct identity *own_identity;   /* NULL: the identity of the plan */
    struct nfs_objects *own_objects; /* NULL: the test objects of the set-up */
};

static inline const struct series_role_type *series_role(const struct run_series *series)
{
    return &series_roles[series->role];
}

/* Set ERROR to the reason why no call in a block of SERIES could be timed. Returns -ENODATA. */
int series_failed_block_error(const struct run_plan *plan, const struct run_series *series,
                              struct error *error);

enum {
    SERIES_MAXIMUM = 3 * RUN_PLAN_OPS_MAXIMUM + 5 + 2 * COST_MODEL_POINTS_MAXIMUM,
    SERIES_SKIP_REASON_SIZE = 560,
};

/* An op that is left out of the run. */
struct series_skip {
    const char *op;
    char reason[SERIES_SKIP_REASON_SIZE];
    bool in_rounds; /* the op was left out in the rounds, after its first call had succeeded */
    /* The verdict names this op, because its set-up or trial failed or the user named it. False if
     * IN_ROUNDS, or if only a group named the op and the server or the export lacks it. */
    bool doubted;
};

struct series_set {
    const struct run_plan *plan;
    struct setup *setup;
    const struct clock *clock;
    struct run_series **series; /* NULL, its control, the ops, then series for the model */
    size_t count, capacity;
    struct run_series *baseline, *control, *mix; /* members of SERIES; NULL: none */
    struct nfs_mix mix_ops;      /* the plan's mix, without ops that the server lacks */
    struct series_skip *skipped; /* has room for all ops of the plan */
    size_t skipped_count;
    /* first failure of an op that the verdict names; code 0: none */
    struct setup_failure first_failure;
    struct engine *engines[SERVICES]; /* one for each service that calls need */
    struct engine *local_engine;      /* engine for local files; NULL: none */
    struct witness *witness;
    double round_of_one_ns;   /* duration of a round divided by the calls in a block */
    double slowest_ns;        /* duration of a call of the slowest op */
    bool model_untried;       /* the series for the model were not tried, for lack of time */
    uint64_t tried_ns, tried; /* trials of NULL and the ops: TRIED_NS in all, for TRIED series */
    /* calls in trials: TRIAL_CALLS were timed, TRIAL_RESENT retransmitted */
    uint64_t trial_calls, trial_resent;
    uint32_t block;     /* calls in a block; the maximum of all series */
    bool equal_in_time; /* blocks have the same duration, not the same number of calls */
};

/* Make the series of SETUP's plan, try each with one call, and connect the engines. An op whose
 * set-up or trial fails is skipped if the server answers other calls; if no op is left, the first
 * failure is returned. Series for the cost model that the server refuses are omitted. Returns 0, or
 * a negative errno with ERROR set. Call series_set_close() in either case. */
int series_set_open(struct series_set *set, struct setup *setup, const struct clock *clock,
                    struct error *error);
void series_set_close(struct series_set *set);

/* Try a few calls of each op. From their durations, set the pauses of the cost model (the longest
 * is the difference between the most costly op and NULL) and, unless the plan gives it, the number
 * of calls in a block. Returns 0, or the engine's error. */
int series_set_choose_blocks(struct series_set *set, struct error *error);

/* Set the blocks of all series to BLOCK calls. Blocks of series for the cost model have a fraction
 * of BLOCK. */
void series_set_block(struct series_set *set, uint32_t block);

/* Return the engine that makes the calls of SERIES. */
struct engine *series_set_engine(const struct series_set *set, const struct run_series *series);

/* Make BLOCK of SERIES with its engine or the witness, and count in TALLY; prepare COUNT calls;
 * clear up after COUNT calls. Return 0, or a negative errno with ERROR set. */
int series_set_run(struct series_set *set, struct run_series *series, struct block *block,
                   struct engine_tally *tally, struct error *error);
int series_set_prepare(struct series_set *set, struct run_series *series, size_t count,
                       struct error *error);
int series_set_clear(struct series_set *set, struct run_series *series, size_t count,
                     struct error *error);

/* Return the time to prepare COUNT calls of SERIES and to clear up after them, ns. Before the first
 * preparation, the duration of the first call is used for each object, as an upper limit. */
double series_preparation_ns(const struct run_series *series, size_t count);

/* Run a BLOCK of SERIES by ENGINE, and note calls that took far longer than usual as stalls
 * (engine/stalls.h). */
int series_run_watched(struct series_set *set, struct run_series *series, struct engine *engine,
                       const struct engine_call *call, struct block *block,
                       struct engine_tally *tally, struct error *error);

/* Note the stalls of a BLOCK of an open loop, which was made by another function. */
void series_note_block(struct series_set *set, struct run_series *series, const struct block *block,
                       const struct engine_tally *tally);

/* Can SERIES, an op that failed after its first call with CODE and ERROR, be given up? It can,
 * without --strict, if only it is concerned, other ops are left, and it is no baseline. */
bool series_can_be_given_up(const struct series_set *set, const struct run_series *series, int code,
                            const struct error *error);

/* Give up SERIES because of ERROR. Returns -ECANCELED, or -ENOMEM with ERROR set. */
int series_give_up(struct run_series *series, struct error *error);

/* If series_can_be_given_up(), give up SERIES, which failed with CODE and ERROR, and warn. No other
 * rank has to agree. Returns 0 if SERIES was given up, else CODE, or -ENOMEM with ERROR set. */
int series_set_give_up(struct series_set *set, struct run_series *series, int code,
                       struct error *error);

void series_set_warn_of_failed(const struct series_set *set, const struct run_series *series);

/* After the rounds: return whether SERIES was given up and MEASURED, its series in ROUNDS, lacks
 * blocks; write to REASON why SERIES failed; remove the series at INDEX from SET, and list its op
 * as skipped for REASON. */
bool series_lacks_rounds(const struct run_series *series, const struct rounds *rounds,
                         const struct series *measured);
void series_describe_failure(const struct run_series *series, const struct series *measured,
                             char reason[SERIES_SKIP_REASON_SIZE]);
void series_set_leave_out(struct series_set *set, size_t index, const char *reason);

/* Return the number of places in files that the op has not used yet, if each place is accessed only
 * once (--cold). */
uint64_t series_set_places_left(const struct series_set *set);

struct run_series *series_set_find_op(const struct series_set *set, const char *op);

const struct series_skip *series_set_find_skip(const struct series_set *set, const char *op);

const char *series_set_skip_reason(const struct series_set *set, const char *op);

/* The functions below are for files that create series: series_ops.c and series_model.c. */

/* A series to be created, with calls of PROCEDURE. OBJECTS and IDENTITY replace those of the set-up
 * unless they are NULL; the set owns them, even after an error. */
struct series_request {
    enum series_role role;
    const char *name;
    const struct nfs_procedure *procedure;
    struct nfs_objects *objects;
    struct identity *identity;
    /* on a mount, replaces OBJECTS and IDENTITY; allocated by malloc() */
    struct mounted_series *mounted;
};

/* Add the series of REQUEST (returns 0, or a negative errno with ERROR set); remove the series at
 * INDEX; remove the last series. */
int series_set_add(struct series_set *set, const struct series_request *request,
                   struct error *error);
void series_set_remove(struct series_set *set, size_t index);
void series_set_drop_last(struct series_set *set);

/* List OP as skipped, because the server or the export lacks it. REASON says why. Returns 0. */
int series_skip_op(struct series_set *set, const char *op, const char *reason);

/* List OP as skipped because of FAILURE. The verdict names it with REASON. Returns 0. */
int series_skip_failed_op(struct series_set *set, const char *op, const char *reason,
                          const struct setup_failure *failure);

/* List the op of the last series as skipped, and remove the series. FROM_GROUP: only a group named
 * the op. STATUS is that of its reply, or 0 without a reply; then CODE and ERROR are set. Returns
 * 0. */
int series_skip_last(struct series_set *set, bool from_group, int status, int code,
                     const struct error *error);

/* Can the run go on without an op that failed with CODE and ERROR before the rounds? FROM_GROUP:
 * only a group named the op. */
bool series_set_can_skip(const struct series_set *set, bool from_group, int code,
                         const struct error *error);

/* Returns 0 if an op of the plan is left, if the plan's ops are optional, or if no op has failed
 * and SET has another series; otherwise the first failure of an op, or -ENOENT, with ERROR set. */
int series_set_check_left(const struct series_set *set, struct error *error);

struct run_series *series_set_last(const struct series_set *set);

/* Is the rate of calls so low that only few calls may be used for trials? */
bool series_set_is_rate_low(const struct series_set *set);

/* Return a copy of the test objects, to be passed to series_set_add(); NULL with ERROR set. */
struct nfs_objects *series_set_copy_objects(const struct series_set *set, struct error *error);

enum {
    MODEL_PAUSES = 2,
    MODEL_PAUSE_MINIMUM_NS = 10000, /* a shorter pause costs less than the noise */
};

/* Does a failure in the rounds concern this op only? It does if its objects can't be made or
 * removed, or if its reply is invalid, while the server answers. After a failed verification, the
 * server's data can't be trusted for any op. */
bool series_failure_is_own(int code, const struct error *error);

/* Add the baseline and the ops; add the series for the cost model, if the plan has a baseline and a
 * model. Return 0, or a negative errno with ERROR set. */
int series_add_ops(struct series_set *set, struct error *error);
int series_add_model(struct series_set *set, struct error *error);

/* If SET's plan names a local directory and PROCEDURE has a local equivalent: make the files, add a
 * series, and make one call. Returns 0, or a negative errno with ERROR set. */
int series_add_local(struct series_set *set, const struct nfs_procedure *procedure,
                     struct error *error);

/* Add one local series with the calls of all ops of SET's mix; call this after all ops were added.
 * Returns as series_add_local(). */
int series_add_local_mix(struct series_set *set, struct error *error);
