/* The series of a run: the null calls, the null control, the ops, and those for the cost model. The
 * purpose of a series is its role; one table has the properties of each role. */
#pragma once

#include "engine/local.h"
#include "measure/rounds.h"
#include "measure/statistics/cost_model.h"
#include "nfs/call.h"
#include "run/setup/setup.h"

/* Roles */

enum series_role {
    SERIES_NULL,
    SERIES_CONTROL, /* more null calls, whose cost above null should be 0 */
    SERIES_MIX,     /* the calls of all its ops */
    SERIES_MIX_OP,  /* the calls of one of them */
    SERIES_OP,
    SERIES_LOCAL,        /* what the op before it, or the mix, is without NFS, on local files */
    SERIES_NULLS,        /* so many null calls as an op of several has, which its cost is above */
    SERIES_CALL_LENGTH,  /* null calls or WRITEs of a given length */
    SERIES_REPLY_LENGTH, /* READs with replies of a given length */
    SERIES_PAUSE,        /* null calls with a pause before each */
    SERIES_ECHO,         /* exchanges with the witness (run/witness.h), as long as an op's calls */
    SERIES_ROLES,
};

struct series_role_type {
    bool is_op;       /* it measures a requested op, or the baseline of one */
    bool in_result;   /* it is an op in the result, and printed */
    bool counted;     /* the ledger counts its calls, and their duration is tried beforehand */
    bool awaited;     /* a run without a number of calls continues until its cost is precise */
    bool in_mix;      /* its calls are part of the mix's blocks */
    unsigned divisor; /* of a series that only explains others: its blocks have so many times fewer
                         calls; otherwise 0 */
};

extern const struct series_role_type series_roles[SERIES_ROLES];

/* Series */

/* A series: its name in results, its call, and its counts. */
struct run_series {
    enum series_role role;
    size_t index; /* in its set and in the rounds */
    const char *name;
    char *own_name; /* which NAME may be; otherwise NULL */
    enum service_kind service;
    /* The NULL calls above which its cost is, of its service; NULL: none. */
    const struct run_series *baseline;
    struct nfs_call call;
    struct engine_tally tally;
    struct mounted_series *mounted; /* what its engine has of it on a mount; NULL: it is not */
    struct local_call local;        /* of SERIES_LOCAL */
    struct channel_bytes echo;      /* of SERIES_ECHO: what is exchanged; by malloc() */
    struct load_series *load;       /* under load (run/load_run.h); otherwise NULL */
    double spacing_ns;              /* under load: from one call to the next; 0: not known */
    uint64_t tried_ns;              /* what its first call took, if it was tried alone; else 0 */
    double call_ns;   /* what one call, its preparation and the pause before it, take */
    double share_ns;  /* what they add to a round: of a mix's op, in proportion to its weight */
    uint32_t block;   /* calls in a block; not of a mix's op */
    uint32_t lead_in; /* under load: of these, untimed at the beginning */
    size_t used;      /* calls of submitted blocks since its calls were prepared */
    double preparation_ns;   /* to prepare one call's object and clear up after it, the latest
                                time; 0: not known yet */
    char *failure;           /* why it was given up; otherwise NULL */
    double usual_ns;         /* of a call, for run/series/series_stalls.c; 0: not known yet */
    struct stall first_wait; /* the longest before USUAL_NS was known, and its length */
    double first_wait_ns;
    struct identity *own_identity;   /* an identity other than the plan's; otherwise NULL */
    struct nfs_objects *own_objects; /* test objects other than the set-up's; otherwise NULL */
};

static inline const struct series_role_type *series_role(const struct run_series *series)
{
    return &series_roles[series->role];
}

/* Set ERROR to the reason why no call of a block of SERIES could be timed. Returns -ENODATA. */
int series_failed_block_error(const struct run_plan *plan, const struct run_series *series,
                              struct error *error);

/* Set */

enum {
    SERIES_MAXIMUM = 3 * RUN_PLAN_OPS_MAXIMUM + 5 + 2 * COST_MODEL_POINTS_MAXIMUM,
    SERIES_SKIP_REASON_SIZE = 560,
};

/* An op that is left out of the run. */
struct series_skip {
    const char *op;
    char reason[SERIES_SKIP_REASON_SIZE];
    bool in_rounds; /* it could be called at first */
    bool doubted;   /* the verdict names it: its set-up failed, or the user named the op itself. Not
                     * where a group has an op that the server or the export lacks. */
};

struct series_set {
    const struct run_plan *plan;
    struct setup *setup;
    const struct clock *clock;
    struct run_series **series; /* null, its control, the ops, those of the model */
    size_t count, capacity;
    struct run_series *baseline, *control, *mix; /* members of SERIES; NULL: none */
    struct nfs_mix mix_ops;      /* the plan's mix, without ops that the server lacks */
    struct series_skip *skipped; /* has room for all ops of the plan */
    size_t skipped_count;
    struct setup_failure first_failure; /* of the ops that are doubted; code 0: there is none */
    struct engine *engines[SERVICES];   /* for the services that are called */
    struct engine *local_engine;        /* for local files; NULL: there are none */
    struct witness *witness;            /* of SERIES_ECHO; NULL: there is none */
    double round_of_one_ns;             /* duration of a round divided by the calls in a block */
    double slowest_ns;                  /* of an op, what one of its calls takes */
    bool model_untried;                 /* there was no time for it */
    uint64_t tried_ns, tried; /* trying null and the ops took so long, of so many series */
    uint64_t trial_calls, trial_resent; /* calls of trials: that were timed, or sent again */
    uint32_t block;                     /* calls in a block, the longest of any series */
    bool equal_in_time;                 /* the series' blocks are equal in time, not in calls */
};

/* Make the series of SETUP's plan, call each once to see whether the server accepts it, and connect
 * the engines. An op whose set-up or trial fails is skipped and listed, while the server answers
 * other calls; if none of the ops is left, it fails as the first of them did. Series of the cost
 * model that the server refuses are omitted. Returns 0, or a negative errno with ERROR set; call
 * series_set_close() in either case. */
int series_set_open(struct series_set *set, struct setup *setup, const struct clock *clock,
                    struct error *error);
void series_set_close(struct series_set *set);

/* Make a few calls of each op, and from their durations set the cost model's pauses, the longest of
 * which is as long as the most costly op takes longer than null; and set the number of calls in a
 * block, unless the plan gives it. Returns 0, or the engine's error. */
int series_set_settle(struct series_set *set, struct error *error);

/* Have the blocks of all series be BLOCK calls; those of the model are a part of that. */
void series_set_block(struct series_set *set, uint32_t block);

/* The engine that makes the calls of SERIES. */
struct engine *series_set_engine(const struct series_set *set, const struct run_series *series);

/* Make the calls of BLOCK, of SERIES, with engine_run(); and before and after COUNT of them,
 * prepare and clear up with nfs_call_prepare() and nfs_call_clear(). */
int series_set_run(struct series_set *set, struct run_series *series, struct block *block,
                   struct engine_tally *tally, struct error *error);
int series_set_prepare(struct series_set *set, struct run_series *series, size_t count,
                       struct error *error);
int series_set_clear(struct series_set *set, struct run_series *series, size_t count,
                     struct error *error);

/* What preparing COUNT calls of SERIES and clearing up after them takes, ns: by the latest time or,
 * before that, at most as long for each object as the first call, in which both are included. */
double series_preparation_ns(const struct run_series *series, size_t count);

/* Run a block of SERIES, of whatever purpose, by ENGINE. Calls that took far longer than usual are
 * noted as stalls (engine/stalls.h). Whoever calls the server for a series does it through this. */
int series_run_watched(struct series_set *set, struct run_series *series, struct engine *engine,
                       const struct engine_call *call, struct block *block,
                       struct engine_tally *tally, struct error *error);

/* The same for a BLOCK of an open loop, which was made elsewhere. */
void series_note_block(struct series_set *set, struct run_series *series, const struct block *block,
                       const struct engine_tally *tally);

/* SERIES failed after its first call, with CODE and ERROR. Is that its own matter, and are there
 * ops to go on with? */
bool series_set_can_give_up(const struct series_set *set, const struct run_series *series, int code,
                            const struct error *error);

/* Then give it up because of ERROR. Returns -ECANCELED, or -ENOMEM with ERROR set. */
int series_give_up(struct run_series *series, struct error *error);

/* Both, where no other rank has to agree: SERIES failed with CODE and ERROR. Returns 0 if it is
 * given up, which is warned of, and the others go on; else CODE, or -ENOMEM with ERROR set. */
int series_set_give_up(struct series_set *set, struct run_series *series, int code,
                       struct error *error);

/* Warn that SERIES was given up. */
void series_set_warn_of_failed(const struct series_set *set, const struct run_series *series);

/* When the rounds are over: was SERIES given up, and has no block in some of ROUNDS, of which
 * MEASURED is its part; why; and take the series at INDEX out of SET for that REASON: it is listed
 * with the ops that were skipped. */
bool series_lacks_rounds(const struct run_series *series, const struct rounds *rounds,
                         const struct series *measured);
void series_describe_failure(const struct run_series *series, const struct series *measured,
                             char reason[SERIES_SKIP_REASON_SIZE]);
void series_set_leave_out(struct series_set *set, size_t index, const char *reason);

/* Where each place is visited once: how many places are left to the op. */
uint64_t series_set_places_left(const struct series_set *set);

/* The op called OP, or NULL. */
struct run_series *series_set_find_op(const struct series_set *set, const char *op);

/* How OP was skipped, or NULL. */
const struct series_skip *series_set_find_skip(const struct series_set *set, const char *op);

/* Why OP was skipped, or NULL. */
const char *series_set_skip_reason(const struct series_set *set, const char *op);

/* Creating series (for series_ops.c and series_model.c) */

/* A series to be created, with calls of PROCEDURE. OBJECTS and IDENTITY replace those of the set-up
 * unless they are NULL; the set then owns them, even after an error. */
struct series_request {
    enum series_role role;
    const char *name;
    const struct nfs_procedure *procedure;
    struct nfs_objects *objects;
    struct identity *identity;
    struct mounted_series *mounted; /* on a mount, instead of OBJECTS and IDENTITY; by malloc() */
};

/* Add a series (0, or a negative errno with ERROR set), and remove one, or the last one. */
int series_set_add(struct series_set *set, const struct series_request *request,
                   struct error *error);
void series_set_remove(struct series_set *set, size_t index);
void series_set_drop_last(struct series_set *set);

/* List OP as skipped, for REASON: the server or the export lacks it. Returns 0. */
int series_skip_op(struct series_set *set, const char *op, const char *reason);

/* List OP as skipped because of FAILURE, which the verdict names by its REASON. Returns 0. */
int series_skip_failed_op(struct series_set *set, const char *op, const char *reason,
                          const struct setup_failure *failure);

/* List the op of the last series as skipped, and drop the series. The op, which FROM_GROUP says was
 * named by a group, was answered by STATUS or, if that is 0, had no answer; CODE and ERROR say so.
 * Returns 0. */
int series_skip_last(struct series_set *set, bool from_group, int status, int code,
                     const struct error *error);

/* An op, which FROM_GROUP says was named by a group, failed with CODE and ERROR before the rounds.
 * Can the run go on without it? */
bool series_set_can_skip(const struct series_set *set, bool from_group, int code,
                         const struct error *error);

/* Returns 0 if one of the plan's ops is left, or only groups named them; else the first failure of
 * an op, with ERROR set. */
int series_set_check_left(const struct series_set *set, struct error *error);

/* The last series added. */
struct run_series *series_set_last(const struct series_set *set);

/* Are the calls made at so low a rate that few are to be spent? */
bool series_set_is_rate_low(const struct series_set *set);

/* A copy of the test objects, to be modified and passed to series_set_add(); or NULL with ERROR
 * set. */
struct nfs_objects *series_set_copy_objects(const struct series_set *set, struct error *error);

enum {
    MODEL_PAUSES = 2,
    MODEL_PAUSE_MINIMUM_NS = 10000, /* the cost of a shorter pause is lost in noise */
};

/* Does a failure in the rounds concern this op only? Its objects can't be made or removed, or its
 * reply is invalid; but the server answers, and other ops may work. Where a verification has
 * failed, the server's data are not to be trusted, whatever the op. */
bool series_failure_is_own(int code, const struct error *error);

/* Add the baseline and the ops; and the series for the cost model, if the plan has a baseline and a
 * model. Return 0, or a negative errno with ERROR set. */
int series_add_ops(struct series_set *set, struct error *error);
int series_add_model(struct series_set *set, struct error *error);

/* If SET's plan names a directory, and calls of PROCEDURE can be made without NFS: make the files
 * that they need, add a series of them, and make one call. Returns 0, or a negative errno with
 * ERROR set. */
int series_add_local(struct series_set *set, const struct nfs_procedure *procedure,
                     struct error *error);

/* The same for the ops of SET's mix, after all of which it is called: one series, with calls of all
 * of them. */
int series_add_local_mix(struct series_set *set, struct error *error);
