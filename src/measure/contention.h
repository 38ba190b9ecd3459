/* What others on this machine take from a run: the time that its processes waited for a processor,
 * and the processors' time that others had. From /proc (proc(5)); what can't be had is NAN. */
#ifndef NFSBENCH_MEASURE_CONTENTION_H
#define NFSBENCH_MEASURE_CONTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Of all threads of a process, so far: on a processor, and ready to run but waiting for one
 * (schedstat's run delay); ns. */
struct process_times {
    double ran_ns, waited_ns;
};

/* As things stand. */
struct contention {
    uint64_t at_ns; /* CLOCK_MONOTONIC_RAW */
    struct process_times client, server;
    double busy_ns; /* that the processors were busy with anything, all together; to 10 ms each */
};

/* Where to look. */
struct contention_place {
    pid_t server;        /* 0: none on this machine that can be seen */
    bool far;            /* the server is on another machine, and takes nothing from this one */
    const char *cpus[2]; /* that client and server may run on ("0-3,6"); "": not known */
};

void contention_read(struct contention *contention, const struct contention_place *place);

/* How many processors are in use there; 0 where that is not known. */
size_t contention_cpus(const struct contention_place *place);

/* What happened between BEFORE and AFTER: the share of the elapsed time that the processes waited,
 * and the share of the N processors' time that others had. */
struct contention_shares {
    double client_waited, server_waited, others;
    double others_error; /* one standard deviation, as busy time is counted in ticks */
};

void contention_between(struct contention_shares *shares, const struct contention *before,
                        const struct contention *after, size_t cpus);

/* The texts of /proc/PID/task/N/schedstat and of /proc/stat, taken apart: the busy time of those
 * processors that are in any of the two lists. */
void contention_parse_schedstat(struct process_times *times, FILE *schedstat);
double contention_parse_busy(FILE *stat, const char *const cpus[2]);

#endif
