/* How busy a process is in chosen stretches of time: all of it, and each of its threads. From
 * /proc/PID/task (proc(5)); of the calling thread by its own clock, since the kernel brings the
 * figures in /proc up to date when a thread goes to sleep. */
#ifndef NFSBENCH_MEASURE_BUSY_H
#define NFSBENCH_MEASURE_BUSY_H

#include <stddef.h>
#include <sys/types.h>

enum { BUSY_THREADS_MAXIMUM = 1024 };

struct busy_thread {
    pid_t id;
    double before_ns; /* its processor time when the stretch began; NAN: it was not there */
    double busy_ns;   /* in all stretches */
};

struct busy {
    pid_t pid; /* 0: the calling process */
    size_t count;
    struct busy_thread threads[BUSY_THREADS_MAXIMUM]; /* those beyond are not counted */
};

/* Count the process PID (0: the calling one); no stretch has begun. */
void busy_open(struct busy *busy, pid_t pid);

/* A stretch begins, and ends. A thread counts from the first stretch at whose beginning it is
 * there. */
void busy_begin(struct busy *busy);
void busy_end(struct busy *busy);

/* Processor time in all stretches, ns: of all threads, and of the busiest; NAN where none could be
 * seen. */
double busy_total_ns(const struct busy *busy);
double busy_most_ns(const struct busy *busy);

#endif
