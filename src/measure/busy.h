/* The processor time of a process and of each of its threads, over chosen periods. It comes from
 * /proc/PID/task (proc(5)); that of the calling thread comes from its own clock, since the kernel
 * updates the figures in /proc only when a thread goes to sleep. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

enum { BUSY_THREADS_MAXIMUM = 1024 };

struct busy_thread {
    pid_t id;
    double before_ns; /* its processor time when the period began; NAN: it did not exist */
    double busy_ns;   /* in all periods */
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
