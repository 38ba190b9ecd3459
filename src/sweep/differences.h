/* What differs between two sessions that were measured in the same rounds. */
#pragma once

#include "experiment/experiment.h"
#include "run/group.h"

/* What differs between two sessions of a group. */
struct differences {
    const struct result *first, *second;
    struct op_differences {
        const struct result_op *first, *second;
        /* Without a baseline there is the round trip only, and without the sessions' models the
         * cost's parts are not known; of the null control there are its costs only. */
        bool known[QUANTITIES];
        struct comparison of[QUANTITIES];
    } * ops; /* that both have, in the order of the first */
    size_t count;
};

/* Fill in DIFFERENCES, with OPS for the caller to free, between the outcomes of two sessions of a
 * group, to which they refer. Where only one is on a mount, their baselines differ, and there are
 * round trips only. Returns 0, or -ENOMEM with ERROR set. */
int group_compare(struct differences *differences, const struct outcome *first,
                  const struct outcome *second, struct error *error);
