/* Clocks that time calls, each a small table of functions.
 *
 * A clock counts ticks. start() opens a timed window and stop() closes it. They are two functions
 * because on x86 the opening reading must not wait for earlier instructions, while the closing
 * reading must wait until the timed work is done (rdtsc and rdtscp; Intel, "How to Benchmark Code
 * Execution Times", 2010). The cost of the pair is measured, and clock_sample_ns() subtracts it
 * from each sample. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum { CLOCK_COST_LOG2 = 20 };

struct clock {
    const char *name;        /* "tsc", "monotonic", "monotonic-raw" */
    bool tsc;                /* ticks are TSC cycles (x86) */
    uint64_t (*start)(void); /* ticks at the opening of a timed window */
    /* ticks at the close; never less than an earlier start() of the same thread */
    uint64_t (*stop)(void);
    double ns_per_tick; /* calibrated against CLOCK_MONOTONIC_RAW; 1 for clock_gettime */
    double cost_ticks;  /* ticks of an empty window: median of batches' means */
    double cost_ns;
    /* Histogram of empty windows: cost_log2[i] counts windows from 2^i ns up to 2^(i+1). The first
     * bucket also counts shorter windows, the last bucket longer windows. */
    uint64_t cost_log2[CLOCK_COST_LOG2];
};

/* Set up the clock called NAME: calibrate it if it is "tsc" (10 ms), and measure its cost. The text
 * NAME must outlive CLOCK. "tsc" is rdtsc/rdtscp on x86-64 and cntvct_el0 on arm64; the other
 * clocks are clock_gettime(). If NAME is NULL, "tsc" is used if the processor's counter runs at a
 * constant rate, otherwise "monotonic-raw". Returns 0; -EINVAL for an unknown name; -ENOTSUP for
 * "tsc" if the processor has no counter with a constant rate. */
int clock_open(struct clock *clock, const char *name, struct error *error);

/* Convert a sample of TICKS (stop - start) to ns, less the clock's own cost; never below 0. */
double clock_sample_ns(const struct clock *clock, uint64_t ticks);

void clock_samples_ns(const struct clock *clock, const uint64_t *ticks, double *ns, size_t n);

/* Return CLOCK_MONOTONIC_RAW in ns. */
uint64_t clock_raw_ns(void);

/* The cross-check of a clock against CLOCK_MONOTONIC_RAW over a run. */
struct clock_check {
    uint64_t first_ticks, first_raw_ns;
    uint64_t last_ticks, last_raw_ns;
    /* latest reading that clock_check_step() used; at first, the reading at the run's begin */
    uint64_t step_ticks, step_raw_ns;
    double largest_step_ns; /* largest change of the clocks' offset from one reading to the next */
};

/* Read both clocks at the begin of the run, if BEGIN is true (this resets CHECK), or at its end. Of
 * several readings, the quickest is used. */
void clock_check_edge(struct clock_check *check, const struct clock *clock, bool begin);

/* Between the ends of the run, read both clocks once, in about 100 ns. This detects a jump of one
 * clock that is too small to affect clock_check_ppm(). An interrupted reading is ignored. */
void clock_check_step(struct clock_check *check, const struct clock *clock);

/* Return by how much the clock ran faster (positive) than CLOCK_MONOTONIC_RAW between the two ends,
 * in parts per million; 0 if no time passed. */
double clock_check_ppm(const struct clock_check *check, const struct clock *clock);
