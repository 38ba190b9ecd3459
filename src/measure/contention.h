/* What other work on this machine takes from a run: its processes' waiting time for a processor,
 * and other processes' processor time. From /proc (proc(5)); NAN if unavailable. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "measure/process.h"

struct contention {
    uint64_t at_ns;                      /* time of the reading, ns on CLOCK_MONOTONIC_RAW */
    struct process_times client, server; /* sums over all threads */
    double busy_ns; /* busy time of all observed processors, added up; to 10 ms each */
    double echo_ns; /* processor time of the run's echo server (run/witness.h); NAN: unknown */
};

/* The processes and processors to observe. */
struct contention_scope {
    pid_t client;        /* the client's process; 0: the calling process */
    pid_t server;        /* the server's process; 0: none can be observed on this machine */
    pid_t echo;          /* the run's echo server (run/witness.h); 0: none */
    bool server_remote;  /* the server is on another machine and uses no processor of this one */
    const char *cpus[2]; /* processors that client and server may run on ("0-3,6"); "": unknown */
};

void contention_read(struct contention *contention, const struct contention_scope *scope);

/* Return the number of processors observed; 0 if unknown. */
size_t contention_cpus(const struct contention_scope *scope);

/* What happened between two readings, as shares. `client_waited` and `server_waited` are time
 * waited for a processor, summed over the threads, relative to the elapsed time. `others` is the
 * share of the observed processors' time that other processes used. */
struct contention_shares {
    double client_waited, server_waited, others;
    double not_own; /* share of the observed processors' time that neither client nor server used */
    double others_error; /* standard error of `others`, because busy time is counted in ticks */
};

/* Set SHARES for the time from BEFORE to AFTER. BESIDE_NS is the time that another server of the
 * measurement used on the CPUS observed processors. */
void contention_between(struct contention_shares *shares, const struct contention *before,
                        const struct contention *after, size_t cpus, double beside_ns);

/* Return the busy time in /proc/stat of the processors in either list of CPUS, ns; NAN: none. */
double contention_parse_busy(FILE *stat, const char *const cpus[2]);
