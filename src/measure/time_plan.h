/* How a measurement without COUNT fits into its time limit: the number of launches, their series,
 * and the number of calls in a block. Each launch makes a plan once it is set up. Nothing here
 * reads a clock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    TIME_PLAN_ROUNDS = 20,      /* wanted number of rounds in each run; spare time adds more */
    TIME_PLAN_ROUNDS_LEAST = 8, /* the smallest number of rounds whose interval is worth printing */
    /* A block of an op has MODEL_DIVISOR times the calls of a block of the cost model's series, and
     * WITNESS_DIVISOR times those of the witness (run/witness.h). The witness then takes 5 % of a
     * round at most. */
    TIME_PLAN_MODEL_DIVISOR = 4,
    TIME_PLAN_WITNESS_DIVISOR = 20,
};

/* Shares of times. The share is 1 / the constant: trials of the cost model's series, for example,
 * may take 1/50 of the time that is left. */
enum {
    /* trials of the cost model's series: maximum share of the time that is left */
    TIME_SHARE_MODEL_TRIALS = 50,
    /* trials of the ops before the plan is made: maximum share of the time that is left */
    TIME_SHARE_TRIALS = 20,
    /* set-ups of further runs, if there are several launches: maximum share of the time that is
     * left */
    TIME_SHARE_SETUPS = 5,
    /* whole warm-up: maximum share of a run's time, or ten rounds if they take longer */
    TIME_SHARE_WARMUP = 4,
    /* ledger: maximum share of a run's time, unless its smallest number of calls takes longer */
    TIME_SHARE_LEDGER = 5,
    /* ledgers of all runs that together take at most this share of the time left are never given
     * up */
    TIME_SHARE_LEDGER_KEPT = 10,
    TIME_SHARE_END = 30,      /* share of a run's time for its analysis and output */
    TIME_SHARE_LAST_END = 40, /* share of the complete time for the work after the last launch */
};

/* What a launch needs, measured after its first run was set up. Times in ns. */
struct time_needs {
    double left_ns;  /* time until the measurement must end */
    double setup_ns; /* time from the begin of a run to its first round */
    /* time from the last round of a run to its end, without the ledger (LEDGER_NS) */
    double end_ns;
    double ops_ns; /* time of all blocks of ops and null in a round, divided by BLOCK */
    /* time of a round's blocks of ops and null if each block had as few calls as possible */
    double round_least_ns;
    double beside_ns; /* part of a round's time that does not depend on the blocks' calls */
    /* time of the null control's block, divided by BLOCK; 0 if there is no control, or if it must
     * not be left out: then OPS_NS contains its time */
    double control_ns;
    /* time of a round's blocks of cost model and witness, divided by the number of calls in a cost
     * model's block; 0: there are none */
    double model_ns;
    /* time of the ledger with its smallest number of calls; 0: there is no ledger */
    double ledger_ns;
    /* BLOCK: wanted number of calls in a block; BLOCK_LEAST: smallest number */
    uint32_t block, block_least;
    unsigned launches; /* number of launches, including this one */
    /* number of runs that a launch is divided into, 1 or more; the first one has been set up */
    unsigned parts;
    /* LAUNCHES must not be reduced: the user, --over or an earlier launch determined it */
    bool launches_fixed;
    bool warms_up;
};

struct time_plan {
    unsigned launches;
    uint32_t block;
    bool whole_warmup, model, control, ledger;
    double warmup_ns; /* longest time for the warm-up of each of the launch's runs */
    double share_ns;  /* time of this run, from its first round to its end */
    double round_ns;
    /* number of measured rounds that fit into SHARE_NS less the time after the last round and the
     * shortest warm-up. The shortest warm-up has ten rounds if WHOLE_WARMUP is true, else one;
     * without a warm-up, it has none */
    unsigned rounds;
    /* WHOLE_NS: time from now that would suffice for everything wanted. LEAST_NS: time for
     * TIME_PLAN_ROUNDS_LEAST rounds if the plan has fewer; else 0. */
    double whole_ns, least_ns;
};

/* Make the plan. If time is short, the plan gives up, in this order and no more than necessary:
 * (1) most of the warm-up; (2) the cost model and the witness; (3) the null control, and the
 * ledgers if all of them take more than a tenth of the time; (4) unless LAUNCHES_FIXED, launches,
 * from 10 to 5, 3 and 1 (more than 10 are halved); (5) calls in a block, down to BLOCK_LEAST; (6)
 * rounds, below TIME_PLAN_ROUNDS. With several launches, time is also short if set-ups of further
 * runs take more than a fifth of it. */
struct time_plan time_plan_make(const struct time_needs *needs);

bool time_plan_is_complete(const struct time_plan *plan, const struct time_needs *needs);
