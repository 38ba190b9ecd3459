/* The kernel's counters, as they stand: of the machine, of its network interfaces, of a process.
 * From /proc (proc(5)) and getrusage(2). Containers hide some of them, kernels lack some: what
 * can't be had is NAN, never 0. */
#ifndef NFSBENCH_MEASURE_COUNTERS_H
#define NFSBENCH_MEASURE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum counter {
    /* of the machine, all processors together */
    COUNTER_INTERRUPTS,
    COUNTER_NET_RX, /* soft interrupts that receive packets */
    COUNTER_NET_TX,
    COUNTER_MACHINE_SWITCHES, /* context switches */
    COUNTER_STEAL_NS,         /* taken by the hypervisor; to 10 ms */
    /* of the process, all threads together */
    COUNTER_CPU_NS, /* time on a processor */
    COUNTER_USER_NS,
    COUNTER_SYSTEM_NS,
    COUNTER_VOLUNTARY, /* context switches: it waited */
    COUNTER_INVOLUNTARY,
    COUNTERS,
};

/* For results: "interrupts", "net_rx", "cpu_ns". */
extern const char *const counter_names[COUNTERS];

enum { COUNTERS_FIRST_OF_PROCESS = COUNTER_CPU_NS, COUNTERS_INTERFACES_MAXIMUM = 16 };

/* What an interface counts. */
enum interface_counter {
    INTERFACE_RX_BYTES,
    INTERFACE_RX_PACKETS,
    INTERFACE_TX_BYTES,
    INTERFACE_TX_PACKETS,
    INTERFACE_COUNTERS,
};

extern const char *const interface_counter_names[INTERFACE_COUNTERS];

struct interface_counters {
    char name[16];
    double values[INTERFACE_COUNTERS];
};

struct counters {
    uint64_t at_ns; /* CLOCK_MONOTONIC_RAW of the machine that they are from */
    double values[COUNTERS];
    struct interface_counters interfaces[COUNTERS_INTERFACES_MAXIMUM];
    size_t interface_count;
};

/* All unknown. */
void counters_clear(struct counters *counters);

/* Read the machine's, the interfaces' and the time. */
void counters_read_machine(struct counters *counters);

/* Read those of the process PID, all its threads together; with 0, the calling process's own. User
 * and system time are reported for the own process only: the kernel knows others' to 10 ms only. */
void counters_read_process(struct counters *counters, pid_t pid);

/* The speed of the network interface NAME of this machine in bits/s; NAN where it has none, as
 * loopback. */
double counters_interface_speed(const char *name);

/* How often the calling thread has been taken off its processor against its will so far. */
uint64_t counters_own_preemptions(void);

/* The texts of /proc/stat, /proc/net/dev and /proc/PID/status, taken apart. */
void counters_parse_stat(struct counters *counters, FILE *stat);
void counters_parse_interfaces(struct counters *counters, FILE *devices);
void counters_parse_switches(FILE *status, double *voluntary, double *involuntary);

#endif
