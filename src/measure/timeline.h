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

/* Latencies over time: how many calls took how long in each interval of a run. Memory is bounded:
 * a run that outlasts the columns has each two of them merged into one. */
enum {
    HEAT_COLUMNS = 120,
    HEAT_ROWS_IN_OCTAVE = 4, /* a row ends at 1.19 times where it begins */
    HEAT_ROWS = 40 * HEAT_ROWS_IN_OCTAVE,
};

struct heat_map {
    size_t columns;               /* that have begun */
    double began_s[HEAT_COLUMNS]; /* of each, since the run began */
    double ended_s;               /* of the last */
    size_t intervals, merged;     /* so far, and in a column; MERGED 0: 1 */
    uint64_t counts[HEAT_COLUMNS][HEAT_ROWS];
};

/* Add the calls of PART, which were made from BEGAN to ENDED, seconds after the run began. MAP is
 * zeroed before the first. */
void heat_map_add(struct heat_map *map, double began, double ended, const struct histogram *part);

/* The row of a latency, and where a row begins, ns; row HEAT_ROWS is the end of the last. */
size_t heat_map_row(double ns);
double heat_map_low(size_t row);
