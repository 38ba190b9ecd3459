/* Internal to outcome*.c and judge.c: each function makes one part of a result. */
#pragma once

#include "run/outcome/filling.h"
#include "run/outcome/outcome.h"

struct making {
    struct outcome *outcome;
    struct result *result;
    const struct measured *measured;
    struct filling filling;
};

/* Set the ops, the data for their costs, and the skipped ops. */
void making_ops(struct making *making);

/* Set RESULT's validity, after everything else was set. CALLS is the number of calls of all series
 * and ranks. */
void judge_result(struct result *result, const struct measured *measured, uint64_t calls);
