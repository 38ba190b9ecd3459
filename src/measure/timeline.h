/* The rate and the latencies of a series in each tenth of a second of a run, and a heat map. Blocks
 * of several series alternate, so a series' rate is relative to the duration of its own blocks. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/histogram.h"

enum { TIMELINE_STEP_NS = 100 * 1000 * 1000 };

struct timeline_point {
    uint64_t step;  /* number of the tenth of a second, from 0 */
    uint64_t calls; /* number of calls that ended in the step (open loop: that were due in it) */
    uint64_t active_ns; /* time that the series' blocks took within the step */
    double p50, p99;    /* latencies of these CALLS calls, ns */
};

/* A zeroed timeline is empty. */
struct timeline {
    struct timeline_point *points; /* in order of time; steps without a block have no point */
    size_t count, capacity;
    struct timeline_point open; /* the last point, to which calls may still be added */
    struct histogram histogram; /* latencies of the calls in OPEN */
};

/* Add a block, from BEGAN_NS to ENDED_NS; blocks are added in order of time. Call i of its COUNT
 * calls, in any order, ended (open loop: was due) at DONE_NS[i] with latency NS[i]. All times are
 * ns since the begin of the run. Returns 0 or -ENOMEM. */
int timeline_add(struct timeline *timeline, uint64_t began_ns, uint64_t ended_ns,
                 const double *done_ns, const double *ns, size_t count);

/* Close the last point at the end of the run. Returns 0 or -ENOMEM. */
int timeline_end(struct timeline *timeline);

void timeline_free(struct timeline *timeline);

/* Latencies over time: counts of calls by latency in each interval of a run. Memory is bounded: if
 * a run has more intervals than columns, pairs of columns are merged. */
enum {
    HEAT_COLUMNS = 120,
    HEAT_ROWS_IN_OCTAVE = 4, /* rows per factor of 2: a row ends at 1.19 times its begin */
    HEAT_ROWS = 40 * HEAT_ROWS_IN_OCTAVE,
};

struct heat_map {
    size_t columns;               /* number of columns that have begun */
    double began_s[HEAT_COLUMNS]; /* begin of each column, s since the begin of the run */
    double ended_s;               /* end of the last column, s */
    /* INTERVALS: number of intervals so far; MERGED: number of intervals in a column (0 means 1) */
    size_t intervals, merged;
    uint64_t counts[HEAT_COLUMNS][HEAT_ROWS];
};

/* Add the next interval, from BEGAN to ENDED (s since the begin of the run), with the calls of
 * PART. MAP is zeroed before the first interval. */
void heat_map_add(struct heat_map *map, double began, double ended, const struct histogram *part);

/* heat_map_row() returns the row of latency NS (the last row if NS is too large). heat_map_low()
 * returns the lower bound of ROW, ns; for HEAT_ROWS, the end of the last row. */
size_t heat_map_row(double ns);
double heat_map_low(size_t row);
