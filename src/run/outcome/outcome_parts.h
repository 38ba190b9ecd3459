/* Internal to outcome*.c and judge.c: each function sets some members of a result. */
#pragma once

#include "run/outcome/filling.h"
#include "run/outcome/outcome.h"

struct making {
    struct outcome *outcome;
    struct result *result;
    const struct measured *measured;
    struct filling filling;
};

/* Set the result's ops and skipped ops, and the data from which the ops' costs are estimated. */
void making_ops(struct making *making);

/* Set RESULT's validity and evidence. Its other members except launches are already set. CALLS is
 * the number of calls of all series of all ranks. */
void judge_result(struct result *result, const struct measured *measured, uint64_t calls);
