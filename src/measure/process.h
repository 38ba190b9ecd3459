/* Finding the process behind a port of this machine. */
#ifndef NFSBENCH_MEASURE_PROCESS_H
#define NFSBENCH_MEASURE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The process that listens on PORT (TCP, or a bound socket of UDP; IPv4 or IPv6) in this network
 * namespace: its pid; 0 where nobody does, or where it can't be seen (another user's process
 * without the privilege, or a server within the kernel, which is no process). Of several, the first
 * found. */
pid_t process_of_port(uint16_t port, bool udp);

/* Does PID exist? */
bool process_exists(pid_t pid);

/* How many processors PID may run on; 0 where that is not known. */
unsigned process_allowed_count(pid_t pid);

/* The processors that it may run on, as its /proc/PID/status lists them ("0-3,6"); "" when unknown.
 * Returns BUFFER. */
const char *process_allowed_cpus(pid_t pid, char *buffer, size_t size);

/* The processor that PID's thread with most processor time ran on last; -1 when unknown. */
int process_busiest_cpu(pid_t pid);

#endif
