/* Clocks to time calls with, behind one small table of functions.
 *
 * A clock counts ticks. A timed window is opened by start() and closed by stop(): two functions,
 * because on x86 an opening stamp must not wait for what came before it, while a closing stamp
 * must wait until the timed work is done (rdtsc and rdtscp; Intel, "How to Benchmark Code
 * Execution Times", 2010). What the pair itself costs is measured and taken off each sample by
 * clock_sample_ns(). */
#ifndef NFSBENCH_MEASURE_CLOCK_H
#define NFSBENCH_MEASURE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum { CLOCK_COST_LOG2 = 20 };

struct clock {
    const char *name;        /* "tsc", "monotonic", "monotonic-raw" */
    bool tsc;                /* ticks are TSC cycles (x86) */
    uint64_t (*start)(void); /* ticks, at the opening of a timed window */
    uint64_t (*stop)(void);  /* ticks, at its close; never before start() of the same thread */
    double ns_per_tick;      /* calibrated against CLOCK_MONOTONIC_RAW; 1 for clock_gettime */
    double cost_ticks;       /* what start() and stop() add to an empty window: the mean */
    double cost_ns;
    uint64_t
        cost_log2[CLOCK_COST_LOG2]; /* empty windows by what they measured: 2^i ns up to 2^(i+1);
                                       the first holds shorter ones, the last longer ones, too */
};

/* Set up the clock called NAME ("tsc": rdtsc/rdtscp on x86-64, cntvct_el0 on arm64;
 * "monotonic" and "monotonic-raw": clock_gettime): calibrate it (takes about 10 ms, good to about
 * 0.1 ppm) and measure its cost. Returns 0; -EINVAL for an unknown name; -ENOTSUP where the
 * processor's counter is not constant and non-stop, so that it can't be trusted as a clock. */
int clock_open(struct clock *clock, const char *name, struct error *error);

/* A sample in nanoseconds: stop - start, less the clock's own cost, never below 0. */
double clock_sample_ns(const struct clock *clock, uint64_t ticks);

/* The same for N samples. */
void clock_samples_ns(const struct clock *clock, const uint64_t *ticks, double *ns, size_t n);

/* Nanoseconds of CLOCK_MONOTONIC_RAW: for deadlines, progress, and as the other clock in the
 * cross-check. */
uint64_t clock_raw_ns(void);

/* The cross-check: over a run, the clock's own account of the time against
 * CLOCK_MONOTONIC_RAW's. Both are read at an edge by clock_check_edge(): begin = true at the
 * first edge and false at the last. */
struct clock_check {
    uint64_t first_ticks, first_raw_ns;
    uint64_t last_ticks, last_raw_ns;
    uint64_t step_ticks, step_raw_ns; /* the last reading between the edges */
    double largest_step_ns; /* by which the clocks moved against each other between readings */
};

/* Read both clocks, as nearly at once as can be (the tightest of several bracketed readings). */
void clock_check_edge(struct clock_check *check, const struct clock *clock, bool begin);

/* Read both clocks once, between the edges, in some 100 ns: so that a jump of one of them is seen
 * even where it is small against the run. A reading that was interrupted is left out. */
void clock_check_step(struct clock_check *check, const struct clock *clock);

/* By how much the clock ran faster (positive) or slower than CLOCK_MONOTONIC_RAW between the two
 * edges, in parts per million; 0 where no time lies between them. */
double clock_check_ppm(const struct clock_check *check, const struct clock *clock);

#endif
