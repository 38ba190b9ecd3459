/* What a run measured in each interval of time, reported while it goes on. Only the histograms as
 * they were at the last report are kept, and a map of the latencies over time, so that memory does
 * not grow with the run. */
#pragma once

#include <time.h>

#include "measure/histogram.h"
#include "measure/timeline.h"
#include "run/series/series.h"

/* An op in an interval. Times are in ns; those of the distribution are of its histogram, so the
 * largest is the upper bound of a bucket. */
struct interval_op {
    const char *op;
    uint64_t calls;         /* made */
    uint64_t timed;         /* of them, in the latencies */
    uint64_t failed;        /* answered by an error */
    uint64_t resent;        /* messages that were sent again */
    double rate_per_s;      /* over the time that was spent on the op; 0: no call */
    double megabytes_per_s; /* 10^6 bytes of files; NAN: it moves none */
    double mean, p50, p90, p99, p999, maximum; /* NAN where nothing was timed */
};

/* What an observer gets; valid during the call. */
struct interval_report {
    const char *target;
    time_t at;               /* its end */
    double began_s, ended_s; /* since the first round began */
    const struct interval_op *ops;
    size_t op_count;
};

/* A series at the last report. */
struct interval_series {
    struct histogram histogram;
    uint64_t calls, failed, resent, elapsed_ns;
    struct heat_map map; /* of the whole run */
};

struct intervals {
    uint64_t length_ns; /* 0: none are wanted */
    uint64_t began_ns, last_ns;
    struct interval_series *series;
    struct interval_op *ops;
    size_t count;
};

/* The rounds of SET begin, of which intervals of LENGTH_NS are to be reported (0: none). Returns 0
 * or -ENOMEM. */
int intervals_begin(struct intervals *intervals, const struct series_set *set, uint64_t length_ns);
void intervals_free(struct intervals *intervals);

/* The latencies over time of series INDEX; NULL: none were wanted, or it was not reported. */
const struct heat_map *intervals_map(const struct intervals *intervals, size_t index);

/* A round of ROUNDS is complete: report to the plan's observer, if it is time to, or with LAST. */
void intervals_look(struct intervals *intervals, const struct series_set *set,
                    const struct rounds *rounds, bool last);
