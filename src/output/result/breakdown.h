/* A breakdown: the phases, the states or the steps of a ladder that the time of a call consists of.
 * It is read from a result file. Times are in ns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "measure/statistics/estimate.h"
#include "output/view/fields.h"

enum { BREAKDOWN_PARTS_MAXIMUM = 64 };

struct breakdown_part {
    const char *key;    /* name of the part for programs, such as "server-work" or "rpc" */
    const char *name;   /* name of the part for people, such as "server works" */
    const char *kind;   /* kind of the phase or state, such as "client"; NULL for a step */
    struct interval ns; /* mean per call (step: median); ends are NAN for a state */
    bool in_sum;        /* false if the time is not part of the call's time, such as the XDR step */
    /* The members from here on are set only for steps of a ladder. A step leads from rung ABOVE
     * (NULL for the first rung) to RUNG. */
    const char *rung, *above;
    double share; /* share of the time of the op's call; NAN if the step is not part of it */
    bool distinguishable; /* the time differs significantly from 0 */
};

/* The breakdown of one op. */
struct breakdown {
    const char *op;
    /* name of the op; for a table of states, the op and the table: "read: RPC READ" */
    const char *name;
    /* Phases: name of the view, which determines the phases that can occur. States: kind of thing
     * that has the states: "system-call", "procedure" or "server-request". Ladder: NULL. */
    const char *view;
    /* Mean time from the start to the end of a call; for a ladder, the sum of the steps. */
    struct interval whole;
    double discrepancy; /* (the call's time - the sum of the parts) / the call's time */
    /* OVERLAP: time for which send() still ran after later phases had begun. OVERLAP_BEGINS: time
     * from the begin of the call until the later phases began. 0 or NAN: not measured. */
    double overlap, overlap_begins;
    struct breakdown_part *parts;
    size_t part_count;
    /* NULL, or two breakdowns into the predicted parts: [0] has the times of an earlier
     * measurement, with the predicted ranges as intervals; [1] has the times of this measurement.
     */
    struct breakdown *predicted;
};

/* Write to ROOM the time of a call and, if above 0, the sum of its phases of each kind: "26.4 us:
 * client 7.5, network 3.4". Returns ROOM. */
const char *breakdown_kinds(const struct breakdown *breakdown, char room[FIELD_ROOM]);

const struct breakdown_part *breakdown_find(const struct breakdown *breakdown, const char *key);
