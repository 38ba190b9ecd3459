/* Reports of a run's measurements in each interval of time. Memory does not grow with time, because
 * only the last report's histograms and a heat map of the latencies are kept. */
#pragma once

#include <time.h>

#include "measure/histogram.h"
#include "measure/timeline.h"
#include "run/series/series.h"

/* The measurements of an op in one interval. Latencies are in ns and from a histogram, so that
 * MAXIMUM may be the upper bound of a bucket. */
struct interval_op {
    const char *op;
    uint64_t calls;
    uint64_t timed;         /* calls that left a sample */
    uint64_t failed;        /* calls whose reply was an error */
    uint64_t resent;        /* messages that were retransmitted */
    double rate_per_s;      /* calls per second in the blocks of the op or of its mix; 0: no call */
    double megabytes_per_s; /* 10^6 bytes of file data per second; NAN: a mix, or no data */
    double mean, p50, p90, p99, p999, maximum; /* NAN if no call was timed */
};

/* The report that is passed to an observer's interval(). It is valid until interval() returns. */
struct interval_report {
    const char *target;
    time_t at;               /* end of the interval */
    double began_s, ended_s; /* s since the first measured round began */
    const struct interval_op *ops;
    size_t op_count;
};

/* The state of a series at the last report: totals since the measured rounds began. */
struct interval_series {
    struct histogram histogram;
    uint64_t calls, failed, resent, elapsed_ns;
    struct heat_map map; /* latencies of the run so far */
};

struct intervals {
    uint64_t length_ns;         /* time between two reports; 0: no reports */
    uint64_t began_ns, last_ns; /* start of the rounds, and of the interval; clock_raw_ns() */
    struct interval_series *series;
    struct interval_op *ops;
    size_t count;
};

/* Start the reports for the rounds of SET, every LENGTH_NS (0: none). Returns 0 or -ENOMEM. */
int intervals_begin(struct intervals *intervals, const struct series_set *set, uint64_t length_ns);
void intervals_free(struct intervals *intervals);

/* Return the heat map of series INDEX, or NULL if it was not reported. */
const struct heat_map *intervals_map(const struct intervals *intervals, size_t index);

/* Call this after each round, and with LAST after the last round. It ends the interval if LENGTH_NS
 * have passed or LAST is set. The plan's observer then gets the interval's measurements from
 * ROUNDS, unless there were no calls, and the next interval begins. */
void intervals_look(struct intervals *intervals, const struct series_set *set,
                    const struct rounds *rounds, bool last);
