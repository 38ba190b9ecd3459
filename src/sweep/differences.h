/* The differences between two sessions that were measured in the same rounds. */
#pragma once

#include "experiment/experiment.h"
#include "run/group.h"

struct differences {
    const struct result *first, *second;
    struct op_differences {
        const struct result_op *first, *second;
        /* which quantities are known: an op without a common baseline has only the round trip, the
         * null control has only costs, and parts of a cost need cost models in both sessions */
        bool known[QUANTITIES];
        struct comparison of[QUANTITIES];
    } * ops; /* ops of both sessions, in the order of the first session */
    size_t count;
};

/* Set DIFFERENCES to the differences between FIRST and SECOND, outcomes of two sessions of a group.
 * Both outcomes must outlive DIFFERENCES; the caller frees its OPS, also after an error. If only
 * one session is on a mount, only round trips are compared. Returns 0 or -ENOMEM. */
int group_compare(struct differences *differences, const struct outcome *first,
                  const struct outcome *second, struct error *error);
