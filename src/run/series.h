/* The series of a run: the null calls and their control, the ops, and what the cost model is made
 * from. What a series is there for is its role; what follows from that stands in one table. */
#ifndef NFSBENCH_RUN_SERIES_H
#define NFSBENCH_RUN_SERIES_H

#include "measure/cost_model.h"
#include "measure/rounds.h"
#include "nfs/call.h"
#include "run/setup.h"

/* Roles */

enum series_role {
    SERIES_NULL,
    SERIES_CONTROL, /* null calls again, which should cost nothing above null */
    SERIES_MIX,     /* the calls of all its ops */
    SERIES_MIX_OP,  /* one of these */
    SERIES_OP,
    SERIES_CALL_LENGTH,  /* null calls or WRITEs of chosen length */
    SERIES_REPLY_LENGTH, /* READs with replies of chosen length */
    SERIES_PAUSE,        /* null calls with a pause before each */
    SERIES_ROLES,
};

struct series_role_type {
    bool is_op;     /* it measures an op: one that was asked for, or another's baseline */
    bool in_result; /* it is one of the result's ops, and printed */
    bool counted;   /* calls of its kind are counted by the ledger, and tried for how long they take
                     */
    bool awaited;   /* a run without a number of calls goes on until its cost is known */
    bool in_mix;    /* it gets its calls out of the mix's block */
    bool of_model;  /* it is the cost model's alone, with smaller blocks */
};

extern const struct series_role_type series_roles[SERIES_ROLES];

/* Series */

/* A series: its name in results, its call, what happened to it. */
struct run_series {
    enum series_role role;
    size_t index; /* in its set, and so in the rounds */
    const char *name;
    enum service_kind service;
    const struct run_series *baseline; /* that its cost is above: null, or its service's own; NULL:
                                          none, as in runs without */
    struct nfs_call call;
    size_t turn; /* calls made so far, where they are spread over a file set */
    struct engine_tally tally;
    double rate_per_s;               /* of several ranks together; 0: as the tally has it */
    struct load_series *load;        /* under load (run/load_run.h); else NULL */
    struct identity *own_identity;   /* where the call is not made as the others are; else NULL */
    struct nfs_objects *own_objects; /* where its object is; else NULL */
};

static inline const struct series_role_type *series_role(const struct run_series *series)
{
    return &series_roles[series->role];
}

/* Which of its variants SERIES begins its next COUNT calls with: where they are spread over a file
 * set, they go on where the last ones ended; else 0. */
size_t series_next_variant(struct run_series *series, size_t count);

/* No call of a block of SERIES can be timed: say why. Returns -ENODATA. */
int series_explain_failed_block(const struct run_series *series, struct error *error);

/* Set */

enum {
    SERIES_MAXIMUM = RUN_PLAN_OPS_MAXIMUM + 4 + 2 * COST_MODEL_POINTS_MAXIMUM,
    SERIES_SKIP_REASON_SIZE = 560,
};

/* An op of a group that can't be measured here. */
struct series_skip {
    const char *op;
    char reason[SERIES_SKIP_REASON_SIZE];
};

struct series_set {
    const struct run_plan *plan;
    struct setup *setup;
    const struct clock *clock;
    struct run_series **series; /* null and its control, ops, the model's */
    size_t count, capacity;
    struct run_series *baseline, *control, *mix; /* among them; NULL: none */
    struct nfs_mix mix_ops;                      /* the plan's mix, less what can't be had here */
    struct series_skip *skipped;                 /* room for all ops of the plan */
    size_t skipped_count;
    struct engine *engines[SERVICES]; /* that their calls go through; of services that have any */
    uint32_t block;                   /* calls in a block */
};

/* Make the series of SETUP's plan, each called once to see that the server will have it, and
 * connect the engines. An op that a group named is left out and listed where it can't be had; what
 * the cost model lacks, it does without. 0, or a negative errno with ERROR set; series_set_close()
 * is due in any case. */
int series_set_open(struct series_set *set, struct setup *setup, const struct clock *clock,
                    struct error *error);
void series_set_close(struct series_set *set);

/* Settle what depends on how long calls take, by a few of each op: the cost model's pauses, which
 * are as long as the most costly op takes longer than null. *BLOCK becomes the calls that a block
 * should have, where the user gave none. 0, or what the engine returned. */
int series_set_settle(struct series_set *set, uint32_t *block, struct error *error);

/* Make the calls of BLOCK, of SERIES, as engine_run() does; and before and after them what
 * nfs_call_prepare() and nfs_call_clear() do for COUNT of them. */
int series_set_run(struct series_set *set, struct run_series *series, struct block *block,
                   struct engine_tally *tally, struct error *error);
int series_set_prepare(struct series_set *set, const struct run_series *series, size_t count,
                       struct error *error);
int series_set_clear(struct series_set *set, const struct run_series *series, size_t count,
                     struct error *error);

/* The op called OP, or NULL. */
struct run_series *series_set_find_op(const struct series_set *set, const char *op);

/* Why OP was skipped, or NULL. */
const char *series_set_skip_reason(const struct series_set *set, const char *op);

/* Making series (for series_ops.c and series_model.c) */

/* How a series is made: its calls are of PROCEDURE, on the test objects as all others; the last two
 * are its own where they are given, and SET then frees them, whatever comes of it. */
struct series_request {
    enum series_role role;
    const char *name;
    const struct nfs_procedure *procedure;
    struct nfs_objects *objects;
    struct identity *identity;
};

/* Add a series; and take the last one away again. 0, or a negative errno with ERROR set. */
int series_set_add(struct series_set *set, const struct series_request *request,
                   struct error *error);
void series_set_drop_last(struct series_set *set);

/* The latest. */
struct run_series *series_set_last(const struct series_set *set);

/* A copy of the test objects, to be changed and given to series_set_add(). NULL with ERROR set. */
struct nfs_objects *series_set_copy_objects(const struct series_set *set, struct error *error);

enum {
    MODEL_PAUSES = 2,
    MODEL_PAUSE_MINIMUM_NS = 10000, /* shorter, and what it costs drowns in noise */
    MODEL_DIVISOR = 4,              /* by which their blocks are smaller than others */
};

/* Add the baseline and the ops; and the series that the cost model is made from, where the run has
 * a baseline and wants a model. 0, or a negative errno with ERROR set. */
int series_add_ops(struct series_set *set, struct error *error);
int series_add_model(struct series_set *set, struct error *error);

#endif
