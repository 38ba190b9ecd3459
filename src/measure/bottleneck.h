/* What limits the throughput at a point of a sweep? A pure function of what was observed there. */
#ifndef NFSBENCH_MEASURE_BOTTLENECK_H
#define NFSBENCH_MEASURE_BOTTLENECK_H

enum bottleneck {
    BOTTLENECK_UNKNOWN,    /* what was observed names none: a disk, a lock, an unseen server */
    BOTTLENECK_CLIENT_CPU, /* the run measures its own client */
    BOTTLENECK_SERVER_CPU,
    BOTTLENECK_LINK,
    BOTTLENECK_LATENCY, /* none is busy, calls are waited for: more concurrency would help */
    BOTTLENECK_NONE,    /* the offered rate was reached with room to spare */
    /* Client and server take turns, though several calls are in flight: one handles all of them
     * while the other waits. */
    BOTTLENECK_LOCKSTEP,
};

/* Shares are from 0 to 1; NAN where unknown. */
struct bottleneck_evidence {
    double client_cpu; /* of the processors that the client may use; NAN for one that spins */
    double client_thread_cpu; /* of one processor, by the client's busiest thread; NAN likewise */
    double server_cpu;        /* of the processors that the server may use */
    double server_thread_cpu; /* of one processor, by the server's busiest thread */
    double both_cpus; /* processors' worth that client and server used together; NAN likewise */
    double in_flight; /* calls, of a closed loop; NAN in an open one */
    double link;      /* bytes per second of the busier direction over the link's speed */
    double reached;   /* throughput over the offered rate; NAN in a closed loop */
    double gain; /* d ln throughput / d ln concurrency (or rate) from the point before this one:
                    bottleneck_gain() */
};

/* A resource is busy from these shares on: all of a side's processors, one thread of it, the link.
 * Queues in front of it are ten calls long at 0.9 (M/M/1); a link loses some of its speed to frames
 * and gaps; a thread that is one of several is at its end when its own processor is. */
#define BOTTLENECK_CPU_BUSY    0.90
#define BOTTLENECK_THREAD_BUSY 0.90
#define BOTTLENECK_LINK_BUSY   0.90

/* Two that take turns use one processor's worth together, to this much. */
#define BOTTLENECK_TURNS 0.1

#define BOTTLENECK_RATE_REACHED 0.99 /* of the offered rate: that was all that was asked for */
#define BOTTLENECK_GAIN         0.20 /* throughput still grows with concurrency: 1 in proportion */

/* Of the busy resources, the one farthest over its threshold; the client of two alike. When none is
 * busy: none, if the offered rate was reached; lockstep, if more than one call is in flight and
 * both sides together use one processor's worth; latency, if throughput still grows, or if that is
 * unknown but both processors are known not to be busy; unknown else. */
enum bottleneck bottleneck_find(const struct bottleneck_evidence *evidence);

/* "unknown", "client-cpu", "server-cpu", "link", "latency", "none", "lockstep": stable, for
 * programs. */
const char *bottleneck_name(enum bottleneck bottleneck);

/* The marginal gain from one point to a next one of more load; NAN if it does not follow from
 * them. */
double bottleneck_gain(double load_before, double throughput_before, double load,
                       double throughput);

#endif
