/* The kernel's counters of the machine, its network interfaces and a process, from /proc (proc(5))
 * and getrusage(2). A counter that a container hides or the kernel lacks is NAN. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* COUNTER(ID, name, coarse). ID: the end of the name in enum counter, as in COUNTER_INTERRUPTS.
 * name: the name in results. coarse: true if the kernel counts this time in ticks of some
 * milliseconds. A new counter needs an entry here, and code that reads it in counters.c. */

/* Counters of the machine, summed over all processors: interrupts, soft interrupts that receive and
 * send packets (net_rx, net_tx), context switches, and the time that the hypervisor took. */
#define COUNTERS_OF_MACHINE(COUNTER)                                                               \
    COUNTER(INTERRUPTS, "interrupts", false)                                                       \
    COUNTER(NET_RX, "net_rx", false)                                                               \
    COUNTER(NET_TX, "net_tx", false)                                                               \
    COUNTER(MACHINE_SWITCHES, "machine_switches", false)                                           \
    COUNTER(STEAL_NS, "steal_ns", true)

/* Counters of a process, summed over its threads. In a voluntary switch the thread waits. */
#define COUNTERS_OF_PROCESS(COUNTER)                                                               \
    COUNTER(CPU_NS, "cpu_ns", false)                                                               \
    COUNTER(USER_NS, "user_ns", true)                                                              \
    COUNTER(SYSTEM_NS, "system_ns", true)                                                          \
    COUNTER(VOLUNTARY, "voluntary_switches", false)                                                \
    COUNTER(INVOLUNTARY, "involuntary_switches", false)

#define COUNTER_ID(id, name, coarse) COUNTER_##id,

enum counter {
    COUNTERS_OF_MACHINE(COUNTER_ID) COUNTERS_OF_PROCESS(COUNTER_ID) COUNTERS,
    COUNTERS_FIRST_OF_PROCESS = COUNTER_CPU_NS,
};

#undef COUNTER_ID

bool counter_is_coarse(enum counter counter);

enum { COUNTERS_INTERFACES_MAXIMUM = 16 /* further interfaces are ignored */ };

enum interface_counter {
    INTERFACE_RX_BYTES,
    INTERFACE_RX_PACKETS,
    INTERFACE_TX_BYTES,
    INTERFACE_TX_PACKETS,
    INTERFACE_COUNTERS,
};

struct interface_counters {
    char name[16];
    double values[INTERFACE_COUNTERS];
};

struct counters {
    /* time of the reading, ns on CLOCK_MONOTONIC_RAW of the machine that was read */
    uint64_t at_ns;
    double values[COUNTERS];
    double busy_ns; /* busy time of all processors, added up; error up to 10 ms per processor */
    struct interface_counters interfaces[COUNTERS_INTERFACES_MAXIMUM];
    size_t interface_count;
};

/* Set all counters to NAN, and remove the interfaces. */
void counters_clear(struct counters *counters);

/* Read the time, and the counters of the machine and its interfaces, into cleared COUNTERS. */
void counters_read_machine(struct counters *counters);

/* Read the counters of process PID, summed over its present threads. If PID is 0, read those of the
 * calling process, including its ended threads. For another process, user and system time are NAN,
 * because the kernel reports them only to 10 ms. */
void counters_read_process(struct counters *counters, pid_t pid);

/* Return the speed of network interface NAME in bits/s; NAN if it is unknown, as for loopback. */
double counters_interface_speed(const char *name);

/* Return the one of COUNT INTERFACES that is called NAME; NULL if there is none. */
const struct interface_counters *
counters_find_interface(const struct interface_counters *interfaces, size_t count,
                        const char *name);

/* Return the number of involuntary context switches of the calling thread so far. */
uint64_t counters_own_preemptions(void);

/* Parsers of /proc/stat, /proc/net/dev and /proc/PID/status. counters_parse_switches() sets
 * *VOLUNTARY and *INVOLUNTARY to numbers of context switches, or NAN. */
void counters_parse_stat(struct counters *counters, FILE *stat);
void counters_parse_interfaces(struct counters *counters, FILE *devices);
void counters_parse_switches(FILE *status, double *voluntary, double *involuntary);

/* A reading of the machine's counters, to explain slow calls. A log has up to ten a second. */
struct machine_sample {
    uint64_t at_ns; /* time of the reading, ns on CLOCK_MONOTONIC_RAW */
    double values[COUNTERS_FIRST_OF_PROCESS];
};

/* The readings of a run, in order of time. A zeroed log is empty. */
struct machine_log {
    struct machine_sample *samples;
    size_t count, capacity;
    uint64_t next_ns; /* when the next reading is due, ns on CLOCK_MONOTONIC_RAW */
};

/* Read the counters if a reading is due or NOW is true. The next reading is due after 100 ms or, if
 * this one took over 0.1 ms, as on a large machine, after 1000 times its duration. If memory runs
 * out, the reading is not stored. */
void machine_log_update(struct machine_log *log, bool now);

/* The change of the counters from one reading to the next. */
struct machine_change {
    double values[COUNTERS_FIRST_OF_PROCESS];
    uint64_t span_ns; /* time between the two readings */
};

/* Set CHANGE to the change of the counters from the last reading at or before AT_NS to the first
 * reading after it. Returns false if one of these readings is missing. */
bool machine_log_around(const struct machine_log *log, uint64_t at_ns,
                        struct machine_change *change);

void machine_log_close(struct machine_log *log);
