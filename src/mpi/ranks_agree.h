/* What several ranks have in common before they measure. */
#pragma once

#include "run/plan.h"
#include "run/ranks.h"

struct series_set;

/* Adapt PLAN to one of several ranks. Returns 0, or -EINVAL with ERROR set for what only a single
 * process can do. */
int ranks_prepare(struct ranks *ranks, struct run_plan *plan, struct error *error);

/* Agree with the other ranks on what must be the same in all of them: PLAN's seed and its deadline,
 * which is rank 0's, before a session is opened; the blocks of SET, before they are measured. CODE
 * and the return value are as in meet(). */
int ranks_agree_plan(struct ranks *ranks, struct run_plan *plan, int code, struct error *error);
int ranks_agree_blocks(struct ranks *ranks, struct series_set *set, int code, struct error *error);
