/* What is read immediately before and after the measured rounds, and between them: the machine, the
 * clock, and who else uses the processors. */
#pragma once

#include "common/cpu.h"
#include "measure/clock.h"
#include "measure/contention.h"
#include "measure/counters.h"
#include "measure/link.h"
#include "measure/speed_probe.h"

struct setup;

struct readings {
    struct clock_check clock_check;
    struct counters before, after; /* of the process that makes the calls, and of the machine */
    struct contention_scope scope; /* the processes and processors to watch */
    char client_cpus[CPU_LIST_SIZE], server_cpus[CPU_LIST_SIZE]; /* lists for SCOPE */
    struct contention contention_before, contention_after;
    struct link_counts link_before, link_after; /* of the emulated link to the server */
    struct speed_probe *speed_probe;            /* NULL: there was no memory for it */
    struct machine_log machine_log;
    double frequency_before, frequency_after; /* of the client's processor, Hz; 0: unknown */
    int client_cpu, server_cpu; /* where the calling thread and the server's busiest thread last
                                   ran; -1: unknown */
};

/* Read before the rounds of SETUP's run, whose server is the process SERVER; 0: it is not known, or
 * on another machine. */
void readings_begin(struct readings *readings, const struct setup *setup, pid_t server,
                    const struct clock *clock);

/* After each round. */
void readings_step(struct readings *readings, const struct clock *clock);

/* After all; also where there was none. */
void readings_end(struct readings *readings, const struct setup *setup, pid_t server,
                  const struct clock *clock);

void readings_free(struct readings *readings);
