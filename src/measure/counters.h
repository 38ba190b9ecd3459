/* Current values of the kernel's counters: of the machine, its network interfaces and a process.
 * From /proc (proc(5)) and getrusage(2). Containers hide some counters and kernels lack some; an
 * unavailable counter is NAN, never 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* COUNTER(ID, name, coarse): ID is that of enum counter without COUNTER_; the name is that in
 * results; coarse: the kernel counts it in ticks of some milliseconds. A counter needs its entry
 * here, and to be read in counters.c. */

/* Of the machine, summed over all processors: soft interrupts that receive and send packets
 * (net_rx, net_tx), context switches, and the time that the hypervisor took, to 10 ms. */
#define COUNTERS_OF_MACHINE(COUNTER)                                                               \
    COUNTER(INTERRUPTS, "interrupts", false)                                                       \
    COUNTER(NET_RX, "net_rx", false)                                                               \
    COUNTER(NET_TX, "net_tx", false)                                                               \
    COUNTER(MACHINE_SWITCHES, "machine_switches", false)                                           \
    COUNTER(STEAL_NS, "steal_ns", true)

/* Of the process, summed over all threads: its time on a processor, and its context switches,
 * voluntary ones because it waited. */
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

/* Does the kernel count COUNTER in ticks of some milliseconds? */
bool counter_is_coarse(enum counter counter);

enum { COUNTERS_INTERFACES_MAXIMUM = 16 };

/* Counters of an interface. */
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
    uint64_t at_ns; /* CLOCK_MONOTONIC_RAW of the machine that was read */
    double values[COUNTERS];
    double busy_ns; /* busy time of all processors of the machine together; to 10 ms each */
    struct interface_counters interfaces[COUNTERS_INTERFACES_MAXIMUM];
    size_t interface_count;
};

/* Set all counters to unknown. */
void counters_clear(struct counters *counters);

/* Read the time and the counters of the machine and its interfaces. */
void counters_read_machine(struct counters *counters);

/* Read the counters of process PID (0: the calling process), summed over its threads. User and
 * system time are reported for the calling process only: the kernel reports those of other
 * processes only to 10 ms. */
void counters_read_process(struct counters *counters, pid_t pid);

/* The speed of the network interface NAME of this machine in bits/s; NAN if it has none, as
 * loopback. */
double counters_interface_speed(const char *name);

/* The number of involuntary context switches of the calling thread so far. */
uint64_t counters_own_preemptions(void);

/* Parse /proc/stat, /proc/net/dev and /proc/PID/status. */
void counters_parse_stat(struct counters *counters, FILE *stat);
void counters_parse_interfaces(struct counters *counters, FILE *devices);
void counters_parse_switches(FILE *status, double *voluntary, double *involuntary);

/* The machine's counters during a run, read every tenth of a second, to explain slow calls. */
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
