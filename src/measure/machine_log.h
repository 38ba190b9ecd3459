/* The machine's counters over the length of a run, read every tenth of a second: what to look at
 * when a call was slow. */
#ifndef NFSBENCH_MEASURE_MACHINE_LOG_H
#define NFSBENCH_MEASURE_MACHINE_LOG_H

#include <stdbool.h>

#include "measure/counters.h"

struct machine_sample {
    uint64_t at_ns; /* CLOCK_MONOTONIC_RAW */
    double values[COUNTERS_FIRST_OF_PROCESS];
};

/* Zeroed, it is empty. */
struct machine_log {
    struct machine_sample *samples;
    size_t count, capacity;
    uint64_t next_ns; /* when the next reading is due */
};

/* Read the counters if a reading is due, or NOW. On a large machine, where a reading takes long,
 * they are read less often: they take a thousandth of the time at most. Without memory the log ends
 * early. */
void machine_log_update(struct machine_log *log, bool now);

/* What the machine counted between the last reading at or before AT_NS and the first after it.
 * False when it was not watched then. */
struct machine_change {
    double values[COUNTERS_FIRST_OF_PROCESS];
    uint64_t span_ns; /* between the two readings */
};
bool machine_log_around(const struct machine_log *log, uint64_t at_ns,
                        struct machine_change *change);

void machine_log_close(struct machine_log *log);

#endif
