/* Latencies over time: how many calls took how long in each interval of a run. Memory is bounded:
 * a run that outlasts the columns has each two of them merged into one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "measure/histogram.h"

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
