/* The differences between two sessions that were measured in the same rounds. */
#pragma once

#include "experiment/experiment.h"
#include "run/group.h"

struct differences {
    const struct result *first, *second;
    struct op_differences {
        const struct result_op *first, *second;
        /* Which quantities are known. Without a baseline: only the round trip. Without cost models
         * in both sessions: not the parts of the cost. For the null control: only costs. */
        bool known[QUANTITIES];
        struct comparison of[QUANTITIES];
    } * ops; /* ops of both sessions, in the order of the first session */
    size_t count;
};

/* Set DIFFERENCES between FIRST and SECOND, the outcomes of two sessions of a group, to which
 * DIFFERENCES refers; the caller frees OPS. If only one session is on a mount, the baselines
 * differ, so that only round trips are compared. Returns 0, or -ENOMEM with ERROR set. */
int group_compare(struct differences *differences, const struct outcome *first,
                  const struct outcome *second, struct error *error);
