/* What limits the throughput at a point of a sweep? A pure function of what was observed there. */
#pragma once

enum bottleneck {
    BOTTLENECK_UNKNOWN,    /* the evidence names none: a disk, a lock, an unobserved server */
    BOTTLENECK_CLIENT_CPU, /* the run measures its own client */
    BOTTLENECK_SERVER_CPU,
    BOTTLENECK_LINK,
    BOTTLENECK_LATENCY, /* no resource is busy: more concurrency would help */
    BOTTLENECK_NONE,    /* the offered rate was reached with room to spare */
    /* Client and server take turns, though several calls are in flight: one handles all of them
     * while the other waits. */
    BOTTLENECK_LOCKSTEP,
};

/* Shares are between 0 and 1; NAN: unknown. */
struct bottleneck_evidence {
    double client_cpu;        /* of the processors that the client may use; NAN if it spins */
    double client_thread_cpu; /* of one processor, by the client's busiest thread; NAN likewise */
    double server_cpu;        /* of the processors that the server may use */
    double server_thread_cpu; /* of one processor, by the server's busiest thread */
    double both_cpus;         /* processors that client and server used together; NAN likewise */
    double in_flight;         /* calls, in a closed loop; NAN in an open loop */
    double link;              /* bytes per second of the busier direction over the link's speed */
    double reached;           /* throughput divided by the offered rate; NAN in a closed loop */
    double gain; /* d ln throughput / d ln concurrency (or rate) from the point before this one:
                    bottleneck_gain() */
};

/* A resource counts as busy from these shares on: all processors of one side, one of its threads,
 * the link. At 0.9 the queue in front of a resource is ten calls long (M/M/1); a link loses some of
 * its speed to framing and gaps; one of several threads is saturated when its own processor is. */
#define BOTTLENECK_CPU_BUSY    0.90
#define BOTTLENECK_THREAD_BUSY 0.90
#define BOTTLENECK_LINK_BUSY   0.90

/* A client and a server that take turns together use one processor, within this tolerance. */
#define BOTTLENECK_TURNS 0.1

#define BOTTLENECK_RATE_REACHED 0.99 /* of the offered rate: nothing limited the throughput */
#define BOTTLENECK_GAIN         0.20 /* throughput still grows with concurrency; 1: in proportion */

/* The busy resource that exceeds its threshold most; the client if two are equal. If no resource is
 * busy: NONE if the offered rate was reached; LOCKSTEP if more than one call is in flight and both
 * sides together use one processor; LATENCY if throughput still grows, or if that is unknown but
 * the processors of both sides are known not to be busy; otherwise UNKNOWN. */
enum bottleneck bottleneck_find(const struct bottleneck_evidence *evidence);

/* "unknown", "client-cpu", "server-cpu", "link", "latency", "none" or "lockstep": stable names, for
 * programs; NULL after the last. */
extern const char *const bottleneck_names[];
const char *bottleneck_name(enum bottleneck bottleneck);

/* The marginal gain d ln throughput / d ln load between two points; NAN if they do not determine
 * it. */
double bottleneck_gain(double load_before, double throughput_before, double load,
                       double throughput);
