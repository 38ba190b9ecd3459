/* Inside of what makes a result of the measured data: its parts, each of which fills in some of it.
 */
#pragma once

#include "run/outcome/filling.h"
#include "run/outcome/outcome.h"

/* An outcome being made. */
struct making {
    struct outcome *outcome;
    struct result *result; /* the outcome's */
    const struct measured *measured;
    struct filling filling; /* of the result's arena */
};

/* The ops with what their costs are estimated from, and the ops that were skipped. */
void making_ops(struct making *making);

/* Fill in RESULT's validity, when everything else is filled in. CALLS is the number of calls of all
 * series together. */
void judge_result(struct result *result, const struct measured *measured, uint64_t calls);
