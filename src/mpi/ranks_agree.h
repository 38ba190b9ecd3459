/* Settings that all ranks must agree on before they measure. */
#pragma once

#include "run/plan.h"
#include "run/ranks.h"

struct series_set;

/* Set RANKS' timeout, and adapt PLAN to RANKS: no cost model, no ledger, a scratch directory for
 * each rank, and ranks above 0 are quiet. Returns 0, or -EINVAL with ERROR set if PLAN has a mix,
 * or a server of its own for several ranks. */
int ranks_prepare(struct ranks *ranks, struct run_plan *plan, struct error *error);

/* Make all ranks use the same settings. ranks_agree_plan() sets PLAN's seed, and the deadlines of
 * PLAN and RANKS, before a session is opened. ranks_agree_blocks() sets the calls in a block of
 * SET, before blocks are measured, and fails if the ranks' loads or series differ. CODE is this
 * rank's error or 0. Both return 0 only if no rank has an error (see meet() in run/ranks.h). */
int ranks_agree_plan(struct ranks *ranks, struct run_plan *plan, int code, struct error *error);
int ranks_agree_blocks(struct ranks *ranks, struct series_set *set, int code, struct error *error);
