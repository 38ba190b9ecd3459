/* The differences between two sessions that were measured in the same rounds. */
#pragma once

#include "experiment/experiment.h"
#include "run/group.h"

struct differences {
    const struct result *first, *second;
    struct op_differences {
        const struct result_op *first, *second;
        /* Without a baseline only the round trip is known; without cost models in both sessions,
         * the parts of the cost are unknown; for the null control only costs are known. */
        bool known[QUANTITIES];
        struct comparison of[QUANTITIES];
    } * ops; /* ops of both sessions, in the order of the first session */
    size_t count;
};

/* Set DIFFERENCES, whose OPS the caller frees, between the outcomes FIRST and SECOND of two
 * sessions of a group; DIFFERENCES refers to them. If only one session is on a mount, the baselines
 * differ, and only round trips are compared. Returns 0, or -ENOMEM with ERROR set. */
int group_compare(struct differences *differences, const struct outcome *first,
                  const struct outcome *second, struct error *error);
