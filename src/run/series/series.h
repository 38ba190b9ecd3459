/* The series of a run, such as NULL, its control, the ops, and series for the cost model. The role
 * of a series is its purpose; series_roles has the properties of each role. */
#pragma once

#include "engine/local.h"
#include "measure/rounds.h"
#include "measure/statistics/cost_model.h"
#include "nfs/call.h"
#include "run/setup/setup.h"

enum series_role {
    SERIES_NULL,
    SERIES_CONTROL, /* the control: more NULL calls, whose cost above NULL should be 0 */
    SERIES_MIX,     /* the calls of all ops of a mix */
    SERIES_MIX_OP,  /* the calls of one op of a mix */
    SERIES_OP,
    SERIES_LOCAL, /* calls of the preceding op or mix, but on local files without NFS */
    SERIES_NULLS, /* baseline of an op of several calls: as many NULL calls as the op has calls */
    SERIES_CALL_LENGTH,  /* NULL calls or WRITEs of a given length */
    SERIES_REPLY_LENGTH, /* READs with replies of a given length */
    SERIES_PAUSE,        /* NULL calls with a pause before each call */
    SERIES_ECHO,         /* exchanges with the witness (run/witness.h): an op's message lengths */
    SERIES_ROLES,
};

struct series_role_type {
    bool is_op;     /* a requested op, or an op that was added as a baseline */
    bool in_result; /* the result lists the series as an op */
    /* the ledger counts these calls, and their duration is measured before the rounds */
    bool counted;
    bool awaited; /* a run without a number of calls lasts until the series' cost is precise */
    bool in_mix;  /* the calls are made in the mix's blocks */
    /* not 0: the series only explains others, and its blocks have 1/DIVISOR of the usual calls */
    unsigned divisor;
};

extern const struct series_role_type series_roles[SERIES_ROLES];

struct run_series {
    enum series_role role;
    size_t index; /* index of this series in the set and in the rounds */
    const char *name;
    char *own_name; /* memory of NAME, if NAME is not a constant; otherwise NULL */
    enum service_kind service;
    /* series of NULL calls, whose level is subtracted from this series' level to obtain the cost; a
     * null pointer: no cost is calculated */
    const struct run_series *baseline;
    struct nfs_call call;
    struct engine_tally tally;
    struct mounted_series *mounted; /* the engine's data for calls on a mount; NULL: no mount */
    struct local_call local;        /* call of SERIES_LOCAL */
    struct channel_bytes echo;      /* message of SERIES_ECHO, allocated by malloc() */
    struct load_series *load;       /* measurements under load; NULL: no load */
    double spacing_ns; /* under load: mean time from one call to the next, ns; 0: unknown */
    uint64_t tried_ns; /* duration of the trial of one call, with preparation and clean-up, ns;
                          SERIES_ECHO: duration of the last trial exchange; 0: not tried */
    double call_ns; /* time that a call adds to a round, including its preparation and pause, ns */
    /* CALL_NS; for an op of a mix, CALL_NS times its share of the mix's calls, or 0 at a rate */
    double share_ns;
    uint32_t block;   /* number of calls in a block, times the role's DIVISOR if that is not 0; not
                         used for an op of a mix */
    uint32_t lead_in; /* closed loop: maximum number of untimed calls at a block's beginning */
    size_t used;      /* number of prepared calls that belong to submitted blocks */
    /* time that the last preparation and clean-up took per prepared call, ns; 0: unknown */
    double preparation_ns;
    char *failure;   /* why the series was given up; otherwise NULL */
    double usual_ns; /* usual duration of a call, ns, for series_stalls.c; 0: unknown */
    /* the longest wait for a reply while USUAL_NS was 0; FIRST_WAIT_NS: its length, ns */
    struct stall first_wait;
    double first_wait_ns;
    struct identity *own_identity;   /* NULL: the credential of the plan */
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
    /* The verdict names this op. False if IN_ROUNDS, or if only a group named the op and the
     * server, export or engine lacks something that the op needs. */
    bool doubted;
};

struct series_set {
    const struct run_plan *plan;
    struct setup *setup;
    const struct clock *clock;
    /* series of NULL, its control, the mix, the ops (each followed by its SERIES_NULLS or
     * SERIES_LOCAL), the mix's SERIES_LOCAL, the model, the witness */
    struct run_series **series;
    size_t count, capacity;
    struct run_series *baseline, *control, *mix; /* members of SERIES; NULL: none */
    struct nfs_mix mix_ops;      /* the plan's mix, without the ops that are left out */
    struct series_skip *skipped; /* SKIPPED_COUNT elements, memory for all ops of the plan */
    size_t skipped_count;
    /* first failure of an op that the verdict names; its CODE is 0 if there is none */
    struct setup_failure first_failure;
    struct engine *engines[SERVICES]; /* engines of the services that are called; otherwise NULL */
    struct engine *local_engine;
    struct witness *witness;
    double round_of_one_ns;   /* duration of a round if each block had one call, ns */
    double slowest_ns;        /* usual duration of a call of the slowest series, ns */
    bool model_untried;       /* the series for the cost model were not tried, for lack of time */
    uint64_t tried_ns, tried; /* duration, ns, and number of trial calls of NULL and ops */
    /* numbers of timed calls and of retransmissions in series_set_choose_blocks() */
    uint64_t trial_calls, trial_resent;
    uint32_t block;     /* maximum number of calls in a block of any series */
    bool equal_in_time; /* blocks have the same duration, not the same number of calls */
};

/* Make the series of SETUP's plan, try each with one call, open the witness, connect the engines,
 * and lift the deadline of SETUP's clients. An op whose set-up or trial fails is skipped, if
 * series_set_can_skip(); if no op is left, the first failure is returned. A series for the cost
 * model is omitted if its call fails. If time is short, the model and the witness are omitted.
 * Returns 0, or a negative errno with ERROR set. Call series_set_close() in either case. */
int series_set_open(struct series_set *set, struct setup *setup, const struct clock *clock,
                    struct error *error);
void series_set_close(struct series_set *set);

/* Make a few calls of most series. From the calls' durations, set each series' CALL_NS and
 * SHARE_NS, the model's pauses and, unless the plan has it, the number of calls in a block. The
 * longest pause is the difference between the most costly op and NULL, at least
 * MODEL_PAUSE_MINIMUM_NS. A failed op is given up if series_can_be_given_up(). Returns 0, or a
 * negative errno with ERROR set. */
int series_set_choose_blocks(struct series_set *set, struct error *error);

/* Set the blocks of all series to BLOCK calls, of which roles with a DIVISOR make a fraction. */
void series_set_block(struct series_set *set, uint32_t block);

struct engine *series_set_engine(const struct series_set *set, const struct run_series *series);

/* series_set_run() makes BLOCK of SERIES and adds its counts to TALLY; series_set_prepare()
 * prepares COUNT calls; series_set_clear() clears up after COUNT calls. The functions return 0, or
 * a negative errno with ERROR set. */
int series_set_run(struct series_set *set, struct run_series *series, struct block *block,
                   struct engine_tally *tally, struct error *error);
int series_set_prepare(struct series_set *set, struct run_series *series, size_t count,
                       struct error *error);
int series_set_clear(struct series_set *set, struct run_series *series, size_t count,
                     struct error *error);

/* Return the time to prepare COUNT calls of SERIES and to clear up after them, ns. Before the first
 * preparation, the result is an upper limit: the duration of the trial for each call that is
 * prepared. */
double series_preparation_ns(const struct run_series *series, size_t count);

/* Make BLOCK of CALL, which belongs to SERIES, by ENGINE; add its counts to TALLY; and note calls
 * that took far longer than usual as stalls (engine/stalls.h). Returns as engine_run(). */
int series_run_watched(struct series_set *set, struct run_series *series, struct engine *engine,
                       const struct engine_call *call, struct block *block,
                       struct engine_tally *tally, struct error *error);

/* Note stalls in BLOCK of an open loop, made without series_run_watched(); TALLY has its WAITS. */
void series_note_block(struct series_set *set, struct run_series *series, const struct block *block,
                       const struct engine_tally *tally);

/* Can SERIES, an op that failed after its first call with CODE and ERROR, be given up? It can if
 * --strict is not set, the failure concerns only this op, the run still has another op or SET's ops
 * are optional, and no series has SERIES as baseline. */
bool series_can_be_given_up(const struct series_set *set, const struct run_series *series, int code,
                            const struct error *error);

/* Mark SERIES as given up because of ERROR. Returns -ECANCELED, or -ENOMEM with ERROR set. */
int series_give_up(struct run_series *series, struct error *error);

/* If series_can_be_given_up(), give up SERIES, which failed with CODE and ERROR, and warn. For use
 * if no other rank has to agree. Returns 0 if SERIES was given up, otherwise CODE or -ENOMEM. */
int series_set_give_up(struct series_set *set, struct run_series *series, int code,
                       struct error *error);

void series_set_warn_of_failed(const struct series_set *set, const struct run_series *series);

/* For use after the rounds. MEASURED is SERIES' series in ROUNDS. series_lacks_rounds(): SERIES was
 * given up and MEASURED lacks blocks. series_describe_failure() writes to REASON why SERIES failed.
 * series_set_leave_out() removes series INDEX and lists its op as skipped for REASON. */
bool series_lacks_rounds(const struct run_series *series, const struct rounds *rounds,
                         const struct series *measured);
void series_describe_failure(const struct run_series *series, const struct series *measured,
                             char reason[SERIES_SKIP_REASON_SIZE]);
void series_set_leave_out(struct series_set *set, size_t index, const char *reason);

/* For --cold, where each place in files is accessed once: return the number of unused places of the
 * first op that has several places; also 0 without such an op. */
uint64_t series_set_places_left(const struct series_set *set);

struct run_series *series_set_find_op(const struct series_set *set, const char *op);

const struct series_skip *series_set_find_skip(const struct series_set *set, const char *op);

const char *series_set_skip_reason(const struct series_set *set, const char *op);

/* The functions below are for files that create series, such as series_ops.c. */

/* A series to be created, with calls of PROCEDURE. OBJECTS and IDENTITY, unless NULL, replace those
 * of the set-up and the plan. The set owns OBJECTS, IDENTITY and MOUNTED, even after an error. */
struct series_request {
    enum series_role role;
    const char *name;
    const struct nfs_procedure *procedure;
    struct nfs_objects *objects;
    struct identity *identity;
    /* the engine's data on a mount, from malloc(); NULL: no mount */
    struct mounted_series *mounted;
};

/* Add the series of REQUEST, with SET's baseline. Returns 0, or a negative errno with ERROR set. */
int series_set_add(struct series_set *set, const struct series_request *request,
                   struct error *error);
void series_set_remove(struct series_set *set, size_t index);
void series_set_drop_last(struct series_set *set);

/* List OP as skipped for REASON, without naming it in the verdict. Returns 0. */
int series_skip_op(struct series_set *set, const char *op, const char *reason);

/* List OP as skipped because of FAILURE, and name it with REASON in the verdict. Returns 0. */
int series_skip_failed_op(struct series_set *set, const char *op, const char *reason,
                          const struct setup_failure *failure);

/* List the op of the last series as skipped, and remove the series. FROM_GROUP: only a group named
 * the op. STATUS: error in the op's reply; 0: none. The failed call returned CODE and ERROR.
 * Returns 0. */
int series_skip_last(struct series_set *set, bool from_group, int status, int code,
                     const struct error *error);

/* Can the run go on without an op that failed with CODE and ERROR before the rounds? FROM_GROUP:
 * only a group named the op. May reconnect the clients (setup_goes_on()). */
bool series_set_can_skip(const struct series_set *set, bool from_group, int code,
                         const struct error *error);

/* Check that SET has something to measure. Returns 0 if an op of the plan is left, if the plan's
 * ops are optional, or if no op has failed and SET has any series. Otherwise returns the first
 * failure of an op, or -ENOENT if no op has failed, with ERROR set. */
int series_set_check_left(const struct series_set *set, struct error *error);

struct run_series *series_set_last(const struct series_set *set);

/* Is the rate of calls so low that only few calls may be used for trials? */
bool series_set_is_rate_low(const struct series_set *set);

/* Return a copy of the test objects for series_set_add(); NULL with ERROR set: out of memory. */
struct nfs_objects *series_set_copy_objects(const struct series_set *set, struct error *error);

enum {
    MODEL_PAUSES = 2,
    MODEL_PAUSE_MINIMUM_NS = 10000, /* the effect of a shorter pause is smaller than the noise */
};

/* Does a failure with CODE and ERROR in the rounds concern only the op that failed? It does if the
 * op's objects can't be made or removed, every call of a block failed, or a reply is invalid, while
 * the server answers. A failed verification concerns all ops. */
bool series_failure_is_own(int code, const struct error *error);

/* series_add_ops() adds the baseline and the ops; series_add_model() adds the model's series if
 * there are ops, a baseline and a model. They return 0, or an error with ERROR set. */
int series_add_ops(struct series_set *set, struct error *error);
int series_add_model(struct series_set *set, struct error *error);

/* If SET has no mix, its plan names a local directory, and PROCEDURE has an equivalent on local
 * files, make the files, add the series, and try one call. Returns 0, or a negative errno with
 * ERROR set. */
int series_add_local(struct series_set *set, const struct nfs_procedure *procedure,
                     struct error *error);

/* If SET's plan names a local directory, add one local series with the calls of all ops of SET's
 * mix; call this after all ops were added. Returns what series_add_local() returns. */
int series_add_local_mix(struct series_set *set, struct error *error);
