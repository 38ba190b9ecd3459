/* How a measurement without a number of calls fits into the time that it is given: how many
 * launches it has, of what, and with how many calls in a block. It follows from what its first
 * launch was seen to take; nothing here reads a clock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    TIME_PLAN_ROUNDS = 20,      /* of each launch, if there is time for them */
    TIME_PLAN_ROUNDS_LEAST = 8, /* fewer have no interval worth printing */
    /* A block of an op has so many times the calls of a block of the cost model's series, and of
     * the witness, which then takes 5 % of a round at most. */
    TIME_PLAN_MODEL_DIVISOR = 4,
    TIME_PLAN_WITNESS_DIVISOR = 20,
};

/* Shares of the time that is left: one part in so many. */
enum {
    TIME_SHARE_MODEL_TRIALS = 50, /* for trying the series of the cost model, at most */
    TIME_SHARE_TRIALS = 20,       /* for trying the ops, before the plan is made, at most */
    TIME_SHARE_SETUPS = 5,        /* for the set-ups of further launches, at most */
    TIME_SHARE_WARMUP = 4,        /* of a launch's time, at most */
    TIME_SHARE_LEDGER = 5,        /* of a launch's time, at most */
    TIME_SHARE_LEDGER_KEPT = 10,  /* a ledger that takes less is never given up */
    TIME_SHARE_END = 30,          /* for a launch's analysis, and for what it writes */
    TIME_SHARE_WHOLE_END = 40,    /* for what follows the last launch */
};

/* What a launch needs, when the first one has been set up; times in ns. */
struct time_needs {
    double left_ns;        /* from now until the measurement must end */
    double setup_ns;       /* of a launch, from its begin to its first round */
    double end_ns;         /* from its last round to its end */
    double ops_ns;         /* one call of each op and of null */
    double round_least_ns; /* of these, however short their blocks are */
    double beside_ns;      /* what else a round has, whatever the length of its blocks */
    double control_ns;     /* of the null control; 0: there is none */
    double model_ns;       /* of each series of the cost model; 0: there are none */
    double ledger_ns; /* for the ledger, if it counts as few calls as it may; 0: it counts none */
    uint32_t block, block_least; /* calls in a block: where time doesn't matter; and at least */
    unsigned launches;           /* with this one */
    unsigned parts;      /* of each launch, such as this one, which is the first; 1 or more */
    bool launches_fixed; /* the user asked for so many, or an earlier launch has decided */
    bool warms_up;
};

struct time_plan {
    unsigned launches;
    uint32_t block;
    bool whole_warmup, model, control, ledger;
    double warmup_ns; /* the longest that the warm-up of a part may last */
    double share_ns;  /* of this part, from its first round to its end */
    double round_ns;
    unsigned rounds; /* that fit into it */
    /* From now: for all that was wanted; and, if not even the least fits, for that (else 0). */
    double whole_ns, least_ns;
};

/* Make the plan. Where time is short it gives up, in this order and only as far as it must: most of
 * the warm-up; the cost model; the null control, and the ledger if that takes more than a tenth of
 * the time; launches, from 10 to 5, 3 and 1; calls in a block, down to its least; rounds, from
 * 20 to 8. The set-ups of further launches take a fifth of the time at most. */
struct time_plan time_plan_make(const struct time_needs *needs);

/* Was anything given up? */
bool time_plan_is_whole(const struct time_plan *plan, const struct time_needs *needs);
