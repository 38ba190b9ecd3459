/* What this process used of the machine, and what the hypervisor took: from getrusage() and
 * /proc/stat. */
#ifndef NFSBENCH_MEASURE_USAGE_H
#define NFSBENCH_MEASURE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

struct usage {
    uint64_t user_ns, system_ns;
    uint64_t voluntary_switches, involuntary_switches;
    bool steal_known;
    uint64_t steal_ns; /* of all processors */
    uint64_t at_ns;    /* CLOCK_MONOTONIC_RAW */
};

/* Read the counters as they stand. */
void usage_read(struct usage *usage);

/* What lies between two readings, per call. */
struct usage_per_call {
    double user_ns, system_ns;
    double voluntary_switches, involuntary_switches;
    double cpu_share;   /* user and system time over elapsed time: 1 is one busy processor */
    double steal_share; /* stolen time over elapsed time of all CPUS; 0 where not known */
};

/* CALLS calls (at least 1) were made between FIRST and LAST on a machine with CPUS processors. */
void usage_divide(struct usage_per_call *per_call, const struct usage *first,
                  const struct usage *last, uint64_t calls, unsigned cpus);

#endif
