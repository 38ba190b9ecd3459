/* Local processes: which process serves a port, where it may run, its processor time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Return the pid of the process that listens on TCP port PORT or, if UDP is true, has a socket
 * bound to UDP port PORT, over IPv4 or IPv6, in this network namespace; if there are several, the
 * first one found. Returns 0 if there is none or it can't be seen: another user's process without
 * privilege, or a server in the kernel. */
pid_t process_of_port(uint16_t port, bool udp);

bool process_exists(pid_t pid);

/* Return the number of processors that PID's main thread may run on; 0 if unknown. */
unsigned process_allowed_count(pid_t pid);

/* Set BUFFER, of SIZE bytes, to the processors that PID's main thread may use, as /proc/PID/status
 * lists them ("0-3,6"); "" if unknown. Returns BUFFER. */
const char *process_allowed_cpus(pid_t pid, char *buffer, size_t size);

/* Return true if all threads of process PID may run on CPU only; false if they can't be seen. */
bool process_is_bound(pid_t pid, unsigned cpu);

/* Return the processor on which PID's thread with the most processor time last ran; -1: unknown. */
int process_busiest_cpu(pid_t pid);

/* Call TAKE for each thread of process PID (0: the calling process, whose id TAKE gets). Returns
 * false if the process can't be seen. */
bool process_each_thread(pid_t pid, void (*take)(pid_t pid, pid_t thread, void *context),
                         void *context);

/* Time on a processor, and waiting for one (schedstat's run delay), ns; NAN: unknown. */
struct process_times {
    double ran_ns, waited_ns;
};

/* Parse SCHEDSTAT, an opened /proc/PID/task/N/schedstat. */
struct process_times process_parse_times(FILE *schedstat);

/* Set TIMES to the times of THREAD of process PID. Returns false if schedstat can't be opened: the
 * thread has ended or the kernel lacks it. */
bool process_thread_times(pid_t pid, pid_t thread, struct process_times *times);

/* Open FILE of THREAD of process PID in /proc (proc(5)). Returns NULL if that fails. */
FILE *process_open(pid_t pid, pid_t thread, const char *file);

/* The processor and waiting times of a process's threads over chosen periods, from /proc/PID/task
 * (proc(5)). The calling thread's time is from its own clock, because /proc is not up to date for a
 * running thread. */
enum { BUSY_THREADS_MAXIMUM = 1024 };

struct busy_thread {
    pid_t id;
    /* times at the begin of the period; NAN: unknown, or the thread did not exist */
    struct process_times before;
    struct process_times used; /* times in all periods; for the calling thread, ran_ns only */
};

struct busy {
    pid_t pid; /* the observed process; 0: the calling process */
    size_t count;
    struct busy_thread threads[BUSY_THREADS_MAXIMUM]; /* further threads are not counted */
};

/* Prepare BUSY to measure process PID (0: the calling process). */
void busy_open(struct busy *busy, pid_t pid);

/* Begin and end a period. A period counts only for threads that exist at its begin and its end. */
void busy_begin(struct busy *busy);
void busy_end(struct busy *busy);

/* busy_total_ns() returns the processor time of all threads in all periods, busy_maximum_ns() that
 * of the busiest thread, ns. NAN if no thread was found. */
double busy_total_ns(const struct busy *busy);
double busy_maximum_ns(const struct busy *busy);

/* Return the time that all threads except the calling thread waited for a processor in all periods,
 * added up, ns; NAN if no thread was found. */
double busy_waited_ns(const struct busy *busy);

/* Return the processor on which the busiest thread of all periods last ran; -1 if unknown, or if
 * busy_open()'s PID was 0. */
int busy_last_cpu(const struct busy *busy);
