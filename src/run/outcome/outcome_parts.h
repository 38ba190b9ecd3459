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

/* Set the result's ops, the data from which their costs are estimated, and the skipped ops. */
void making_ops(struct making *making);

/* Set RESULT's validity. The other members of RESULT are already set. CALLS is the number of calls
 * of all series of all ranks. */
void judge_result(struct result *result, const struct measured *measured, uint64_t calls);
