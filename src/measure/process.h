/* Find the process that serves a port of this machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The process that listens on PORT (TCP, or a bound socket of UDP; IPv4 or IPv6) in this network
 * namespace: its pid; 0 if there is none or it can't be seen (another user's process without
 * privilege, or a server in the kernel, which is not a process). If there are several, the first
 * found. */
pid_t process_of_port(uint16_t port, bool udp);

/* Does process PID exist? */
bool process_exists(pid_t pid);

/* The number of processors that PID may run on; 0 if unknown. */
unsigned process_allowed_count(pid_t pid);

/* The processors that PID may run on, as /proc/PID/status lists them ("0-3,6"); "" if unknown.
 * Returns BUFFER. */
const char *process_allowed_cpus(pid_t pid, char *buffer, size_t size);

/* The processor on which PID's busiest thread last ran; -1 if unknown. */
int process_busiest_cpu(pid_t pid);
