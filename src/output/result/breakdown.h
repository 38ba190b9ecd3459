/* The parts that the time of a call consists of, as they were found and written to a file:
 * its phases, or the steps of its ladder. Times are in ns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "measure/statistics/estimate.h"
#include "output/view/fields.h"

enum { BREAKDOWN_PARTS_MAXIMUM = 64 };

struct breakdown_part {
    const char *key;    /* for programs: "server-work", "rpc" */
    const char *name;   /* for people: "server works" */
    const char *kind;   /* of a phase: "client", "queueing"; NULL: a step has none */
    struct interval ns; /* what it adds to the mean of all calls, over the rounds of one run */
    bool in_sum;        /* false: it is not part of the call's time, as the step of XDR */
    /* Of a step alone: */
    const char *rung, *above; /* to which one it leads, and from which; NULL: from nothing */
    double share;             /* of the op's level; NAN: it is no part of it */
    bool distinguishable;     /* it can be told from 0 */
};

/* Of an op. */
struct breakdown {
    const char *op;
    const char *name;      /* the op's, or, of the states of RPCs, that of one of its tables */
    const char *view;      /* which phases there can be; NULL: a ladder */
    struct interval whole; /* the mean lifetime of a call, or the sum of the steps */
    double discrepancy;    /* the share of the call's time that the parts do not add up to */
    double overlap, overlap_begins; /* how long send() still ran while phases after it had begun,
                                       and since when; 0: no such thing was measured */
    struct breakdown_part *parts;
    size_t part_count;
    /* Two breakdowns into the predicted parts: by an earlier measurement, with the predicted range
     * in place of an interval; and by this one. NULL: no such figures are known. */
    struct breakdown *predicted;
};

/* The part of BREAKDOWN with that KEY, or NULL. */
const struct breakdown_part *breakdown_find(const struct breakdown *breakdown, const char *key);
