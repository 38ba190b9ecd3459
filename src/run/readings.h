/* Readings of the machine, the clock and other users of the processors: taken directly before and
 * after the measured rounds, and between rounds. */
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
    struct counters before, after; /* of this machine and of the process that makes the calls */
    struct contention_scope scope; /* processes and processors to watch */
    char client_cpus[CPU_LIST_SIZE], server_cpus[CPU_LIST_SIZE]; /* texts that SCOPE points to */
    struct contention contention_before, contention_after;
    struct link_counts link_before, link_after; /* counts of the emulated link to the server */
    struct speed_probe *speed_probe;            /* NULL: out of memory */
    struct machine_log machine_log;
    /* frequency of the client's processor, Hz; 0: unknown */
    double frequency_before, frequency_after;
    /* processors on which this thread and the server's busiest thread last ran; -1: unknown */
    int client_cpu, server_cpu;
};

/* Take the readings before the rounds of SETUP's run. SERVER is the server's process; 0 if it is
 * unknown or on another machine. */
void readings_begin(struct readings *readings, const struct setup *setup, pid_t server,
                    const struct clock *clock);

void readings_step(struct readings *readings, const struct clock *clock);

/* Take the readings after the last round. Allowed even if readings_begin() was not called. */
void readings_end(struct readings *readings, const struct setup *setup, pid_t server,
                  const struct clock *clock);

void readings_free(struct readings *readings);
