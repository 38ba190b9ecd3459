/* Processes of this machine: which one serves a port, where it may run, and its processor time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

/* May all threads of process PID run on CPU only? False if they can't be seen. */
bool process_is_bound(pid_t pid, unsigned cpu);

/* The processor on which PID's busiest thread last ran; -1 if unknown. */
int process_busiest_cpu(pid_t pid);

/* Call TAKE for each thread of process PID (0: the calling process). False if it can't be seen. */
bool process_each_thread(pid_t pid, void (*take)(pid_t pid, pid_t thread, void *context),
                         void *context);

/* Time on a processor, and time runnable but waiting for one (schedstat's run delay); ns. NAN:
 * unknown. */
struct process_times {
    double ran_ns, waited_ns;
};

/* Parse /proc/PID/task/N/schedstat. */
struct process_times process_parse_times(FILE *schedstat);

/* Set TIMES to those of THREAD of process PID. False if it has ended, or the kernel does not count
 * them. */
bool process_thread_times(pid_t pid, pid_t thread, struct process_times *times);

/* Open FILE of THREAD of process PID in /proc (proc(5)); NULL where there is none. */
FILE *process_open(pid_t pid, pid_t thread, const char *file);

/* The processor time of a process and of each of its threads, over chosen periods. It comes from
 * /proc/PID/task (proc(5)); that of the calling thread comes from its own clock, since the kernel
 * updates the figures in /proc only when a thread goes to sleep. */
enum { BUSY_THREADS_MAXIMUM = 1024 };

struct busy_thread {
    pid_t id;
    struct process_times before; /* when the period began; NAN: it did not exist */
    struct process_times used; /* in all periods; that it waited is unknown of the calling thread */
};

struct busy {
    pid_t pid; /* 0: the calling process */
    size_t count;
    struct busy_thread threads[BUSY_THREADS_MAXIMUM]; /* further threads are not counted */
};

/* Prepare to measure process PID (0: the calling process). */
void busy_open(struct busy *busy, pid_t pid);

/* Begin and end a period. A thread that starts within a period is counted from the next one on. */
void busy_begin(struct busy *busy);
void busy_end(struct busy *busy);

/* Processor time in all periods, ns: of all threads together, and of the busiest thread; NAN if no
 * thread could be observed. */
double busy_total_ns(const struct busy *busy);
double busy_maximum_ns(const struct busy *busy);

/* The time in all periods in which threads waited for a processor, added up, ns; NAN likewise. */
double busy_waited_ns(const struct busy *busy);

/* The processor on which the thread that was busiest in all periods last ran; -1 if unknown. */
int busy_last_cpu(const struct busy *busy);
