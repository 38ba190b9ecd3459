/* How other work on this machine disturbs a run: the time that the run's processes wait for a
 * processor, and the processor time of other processes. All are from /proc (proc(5)), and NAN if
 * unavailable. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "measure/process.h"

struct contention {
    uint64_t at_ns;                      /* time of the reading, ns on CLOCK_MONOTONIC_RAW */
    struct process_times client, server; /* each process's times, summed over its threads */
    /* busy time of the observed processors, added up; error up to 10 ms per processor */
    double busy_ns;
    /* processor time of the run's echo server (run/witness.h); 0: no echo server; NAN: unknown */
    double echo_ns;
};

/* The processes and processors to observe. */
struct contention_scope {
    pid_t client;       /* the client's process; 0: the calling process */
    pid_t server;       /* the server's process; 0: none can be observed on this machine */
    pid_t echo;         /* the run's echo server (run/witness.h); 0: no echo server */
    bool server_remote; /* the server is on another machine and uses no processor of this one */
    /* lists of the processors allowed to client [0] and server [1] ("0-3,6"); "": unknown */
    const char *cpus[2];
};

void contention_read(struct contention *contention, const struct contention_scope *scope);

/* Return how many processors are in either list of SCOPE; 0 if the client's list is unknown. */
size_t contention_cpus(const struct contention_scope *scope);

/* Shares of the time between two readings. `client_waited` and `server_waited` are the time that
 * the threads waited for a processor, added up, divided by the elapsed time; they can exceed 1.
 * `others` is the share of the observed processors' time that other processes used: at most 1;
 * below 0 only by errors of counting. */
struct contention_shares {
    double client_waited, server_waited, others;
    double not_own; /* share of the processors' time that the measurement left idle or to others */
    double others_error; /* upper bound of OTHERS' standard error, from counting in ticks */
};

/* Set SHARES for the time from BEFORE to AFTER. CPUS is the number of observed processors (0:
 * unknown). BESIDE_NS is the processor time that another server of the measurement used on them; it
 * does not count as that of others. */
void contention_between(struct contention_shares *shares, const struct contention *before,
                        const struct contention *after, size_t cpus, double beside_ns);

/* Return the busy time of the processors in the two lists CPUS according to STAT, an opened
 * /proc/stat, ns; NAN if STAT lists none of these processors. */
double contention_parse_busy(FILE *stat, const char *const cpus[2]);
