/* The machine's counters during a run, read every tenth of a second, to explain slow calls. */
#pragma once

#include <stdbool.h>

#include "measure/counters.h"

struct machine_sample {
    uint64_t at_ns; /* CLOCK_MONOTONIC_RAW */
    double values[COUNTERS_FIRST_OF_PROCESS];
};

/* A zeroed log is empty. */
struct machine_log {
    struct machine_sample *samples;
    size_t count, capacity;
    uint64_t next_ns; /* when the next reading is due */
};

/* Read the counters if a reading is due or NOW is set. On a large machine, where a reading takes
 * long, readings are rarer, so that they take at most a thousandth of the time. If memory runs out,
 * the log ends early. */
void machine_log_update(struct machine_log *log, bool now);

/* The change of the counters between the last reading at or before AT_NS and the first after it.
 * Returns false if there are no such readings. */
struct machine_change {
    double values[COUNTERS_FIRST_OF_PROCESS];
    uint64_t span_ns; /* between the two readings */
};
bool machine_log_around(const struct machine_log *log, uint64_t at_ns,
                        struct machine_change *change);

void machine_log_close(struct machine_log *log);
