/* What other work on this machine takes from a run: the time that the run's processes waited for a
 * processor, and the processor time that other processes used. From /proc (proc(5)); NAN if
 * unavailable. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "measure/process.h"

/* One reading. */
struct contention {
    uint64_t at_ns;                      /* CLOCK_MONOTONIC_RAW */
    struct process_times client, server; /* of all threads */
    double busy_ns; /* busy time of all observed processors together; to 10 ms each */
    double echo_ns; /* processor time of the run's echo; NAN: unknown */
};

/* What to observe. */
struct contention_scope {
    pid_t client;        /* 0: the calling process */
    pid_t server;        /* 0: none that can be observed on this machine */
    pid_t echo;          /* of the run, too (run/witness.h); 0: none */
    bool server_remote;  /* the server is on another machine and uses no processor of this one */
    const char *cpus[2]; /* processors that client and server may run on ("0-3,6"); "": unknown */
};

void contention_read(struct contention *contention, const struct contention_scope *scope);

/* The number of processors observed; 0 if unknown. */
size_t contention_cpus(const struct contention_scope *scope);

/* What happened between BEFORE and AFTER: the share of the elapsed time that the processes waited,
 * which is a sum over their threads, and the share of the CPUS processors' time that other
 * processes used. */
struct contention_shares {
    double client_waited, server_waited, others;
    double not_own;      /* of the CPUS processors' time: that neither client nor server used */
    double others_error; /* its standard error, since busy time is counted in ticks */
};

/* BESIDE_NS is the time of the CPUS processors that another server of the measurement used. */
void contention_between(struct contention_shares *shares, const struct contention *before,
                        const struct contention *after, size_t cpus, double beside_ns);

/* Parse /proc/stat: the busy time of the processors in either of the two lists. */
double contention_parse_busy(FILE *stat, const char *const cpus[2]);
