/* A series over time: its rate and its latencies in each tenth of a second. Since blocks of other
 * series alternate with its own, the rate is relative to the duration of its own blocks. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/histogram.h"

enum { TIMELINE_STEP_NS = 100 * 1000 * 1000 };

struct timeline_point {
    uint64_t step;      /* number of the tenth of a second, from 0 */
    uint64_t calls;     /* calls that ended in it */
    uint64_t active_ns; /* part of it that the series' blocks took */
    double p50, p99;    /* of those calls, ns */
};

/* A zeroed timeline is empty. */
struct timeline {
    struct timeline_point *points; /* in order of time */
    size_t count, capacity;
    struct timeline_point open; /* the last point, to which calls may still be added */
    struct histogram histogram; /* of the open point's calls */
};

/* Add a block that ran from BEGAN_NS to ENDED_NS, in ns since the beginning of the run: COUNT
 * calls, in any order, that ended at DONE_NS and took NS. Returns 0 or -ENOMEM. */
int timeline_add(struct timeline *timeline, uint64_t began_ns, uint64_t ended_ns,
                 const double *done_ns, const double *ns, size_t count);

/* Close the last point at the end of the run. Returns 0 or -ENOMEM. */
int timeline_end(struct timeline *timeline);

void timeline_free(struct timeline *timeline);
