/* What limits the throughput under load? A pure function of what was observed at a load, of how the
 * throughput grows up to it, and of trials that were made there. */
#pragma once

#include <math.h>
#include <stdbool.h>

enum bottleneck {
    BOTTLENECK_UNKNOWN,    /* what was ruled out is said instead */
    BOTTLENECK_NONE,       /* the offered rate was reached with room to spare */
    BOTTLENECK_ROUND_TRIP, /* no resource is busy: with more calls in flight there would be more */
    BOTTLENECK_CLIENT_CPU, /* the run measures its own client */
    BOTTLENECK_SERVER_CPU,
    /* Client and server take turns, though several calls are in flight: one handles all of them
     * while the other waits. */
    BOTTLENECK_LOCKSTEP,
    BOTTLENECK_SERVER_THREADS, /* all calls wait for a thread, which itself waits: of any op */
    BOTTLENECK_SERVER_LOCK,    /* the op's own calls wait for one another, and use a processor */
    BOTTLENECK_SERVER_DEVICE,  /* they wait for stable storage */
    BOTTLENECK_LOCK_OR_DEVICE, /* one of these two, which can't be told apart from outside */
    BOTTLENECK_CONNECTION,     /* a connection's calls are answered one at a time */
    BOTTLENECK_CALL_RATE,      /* the server lets so many calls a second pass */
    BOTTLENECK_BYTE_RATE,      /* ... or so many bytes */
    BOTTLENECK_LINK,           /* the line is full */
    BOTTLENECK_LOSS,           /* it loses packets */
    BOTTLENECK_REORDERING,     /* it delivers them in another order, and TCP takes that for loss */
    BOTTLENECK_JITTER,         /* its latency varies by more than a round trip takes at least */
    BOTTLENECK_RECEIVE_WINDOW, /* TCP's, of either side */
    BOTTLENECK_SEND_BUFFER,
    BOTTLENECK_SLOTS, /* calls wait for one of the client's RPC slots */
};

/* "unknown", "none", "round-trip", ...: stable names, for programs; NULL after the last. */
extern const char *const bottleneck_names[];

/* For people: "limited by the line", "not limited at this rate", ...; NULL after the last. */
extern const char *const bottleneck_phrases[];

/* What trials at the load found; NAN: not made. Rates are calls per second. */
struct bottleneck_trials {
    /* The same load with another size of READ or WRITE: d ln rate / d ln size. It is 0 where calls
     * are limited, and -1 where bytes are. */
    double size_elasticity;
    /* The rate with as many calls in flight over CONNECTIONS times as many connections, over the
     * rate before. */
    double connections, connections_ratio;
    /* The typical round trip of NULL on a connection of its own, without load and beside the load.
     */
    double null_alone_ns, null_beside_ns;
    double pause_ratio;    /* the rate of the first calls after a pause, over the rate before it */
    double unstable_ratio; /* of a stable WRITE: the rate of UNSTABLE ones, over its own */
};

/* No trial was made. */
#define BOTTLENECK_NO_TRIALS ((struct bottleneck_trials){NAN, NAN, NAN, NAN, NAN, NAN, NAN})

/* Shares are between 0 and 1; NAN: unknown. */
struct bottleneck_evidence {
    /* The load, and what it gets. */
    double in_flight;   /* calls, in a closed loop; NAN in an open loop */
    double connections; /* that these are spread over */
    double reached;     /* throughput divided by the offered rate; NAN in a closed loop */
    double gain; /* d ln throughput / d ln concurrency (or rate) from the point before this one:
                    bottleneck_gain() */
    double rate; /* calls per second */
    double response_ns;        /* the typical time of a call */
    double response_mean_ns;   /* its mean, which rare long waits belong to */
    double response_least_ns;  /* the shortest typical time at all loads of the same op and size */
    double response_spread_ns; /* 99 % less 50 %, with the least load */
    double null_ns;            /* of the null calls, with as many calls in flight */
    double null_least_ns;      /* at the least load */

    /* Processors. */
    double client_cpu;        /* of the processors that the client may use; NAN if it spins */
    double client_thread_cpu; /* of one processor, by the client's busiest thread; NAN likewise */
    double server_cpu;        /* of the processors that the server may use */
    double server_thread_cpu; /* of one processor, by the server's busiest thread */
    double server_cpus;       /* processors' worth */
    double both_cpus;         /* processors that client and server used together; NAN likewise */
    double machine_cpu;       /* of all processors of the client's machine, by all processes */

    /* The line, and TCP as the client's kernel sees it (struct tcp_info), over the load's time. */
    double link;             /* bytes per second of the busier direction over the link's speed */
    double bytes_per_s;      /* of that direction, on the wire */
    bool sends_most;         /* that direction is from the client to the server */
    double rtt_ns;           /* smoothed, the mean of the connections */
    double rtt_least_ns;     /* the least ever seen */
    double rtt_variation_ns; /* the mean deviation (RFC 6298, RTTVAR) */
    double retransmitted;    /* of the segments sent */
    double out_of_order;     /* of the segments received */
    double
        spurious; /* share of the segments sent again that had arrived before, by DSACK, 0 to 1 */
    double window_limited; /* of the time: the server's receive window was full */
    double buffer_limited; /* of the time: the client's send buffer was full */
    double window_used;    /* bytes in flight to the client over its own receive window */
    double resent;         /* UDP: of the calls */
    double slots_waiting;  /* calls that wait for an RPC slot of the kernel's client */

    bool fails_objective; /* calls take longer than the objective of a search allows */
    bool moves_data;      /* the op is READ or WRITE */
    bool is_write;        /* the op is WRITE */
    bool is_stable;       /* the op is a COMMIT, or a WRITE that is not UNSTABLE */
    struct bottleneck_trials trials;
};

/* Nothing is known of the load. */
#define BOTTLENECK_NO_EVIDENCE                                                                     \
    ((struct bottleneck_evidence){.in_flight = NAN,                                                \
                                  .connections = NAN,                                              \
                                  .reached = NAN,                                                  \
                                  .gain = NAN,                                                     \
                                  .rate = NAN,                                                     \
                                  .response_ns = NAN,                                              \
                                  .response_mean_ns = NAN,                                         \
                                  .response_least_ns = NAN,                                        \
                                  .response_spread_ns = NAN,                                       \
                                  .null_ns = NAN,                                                  \
                                  .null_least_ns = NAN,                                            \
                                  .client_cpu = NAN,                                               \
                                  .client_thread_cpu = NAN,                                        \
                                  .server_cpu = NAN,                                               \
                                  .server_thread_cpu = NAN,                                        \
                                  .server_cpus = NAN,                                              \
                                  .both_cpus = NAN,                                                \
                                  .machine_cpu = NAN,                                              \
                                  .link = NAN,                                                     \
                                  .bytes_per_s = NAN,                                              \
                                  .rtt_ns = NAN,                                                   \
                                  .rtt_least_ns = NAN,                                             \
                                  .rtt_variation_ns = NAN,                                         \
                                  .retransmitted = NAN,                                            \
                                  .out_of_order = NAN,                                             \
                                  .spurious = NAN,                                                 \
                                  .window_limited = NAN,                                           \
                                  .buffer_limited = NAN,                                           \
                                  .window_used = NAN,                                              \
                                  .resent = NAN,                                                   \
                                  .slots_waiting = NAN,                                            \
                                  .trials = BOTTLENECK_NO_TRIALS})

/* A resource counts as busy from these shares on: all processors of one side, one of its threads,
 * the link. At 0.9 the queue in front of a resource is ten calls long (M/M/1); a link loses some of
 * its speed to framing and gaps; one of several threads is saturated when its own processor is. */
#define BOTTLENECK_CPU_BUSY    0.90
#define BOTTLENECK_THREAD_BUSY 0.90
#define BOTTLENECK_LINK_BUSY   0.90

/* Where throughput no longer grows and nothing else is seen, processors that other processes keep
 * from being busy all the time are the limit from here on. */
#define BOTTLENECK_NEARLY_BUSY 0.75

/* The threads of a server that wait for one lock use one processor, within this tolerance. */
#define BOTTLENECK_LOCK 0.2

/* A client and a server that take turns together use one processor, within this tolerance. */
#define BOTTLENECK_TURNS 0.1

#define BOTTLENECK_RATE_REACHED 0.99 /* of the offered rate: nothing limited the throughput */
#define BOTTLENECK_GAIN         0.20 /* throughput still grows with concurrency; 1: in proportion */

/* What a trial must show. Two visits to the same load differ by a tenth or two on a busy machine;
 * four connections in place of one that is the limit make up to four times the throughput. */
#define BOTTLENECK_RATIO       1.3
#define BOTTLENECK_CLEAR_RATIO 2.0

/* Bytes are limited from this elasticity of the rate with the size on, and calls above it; clearly
 * so from CLEAR on, and above CLEAR - 1 turned round. Headers make -0.9 of a full line's -1. */
#define BOTTLENECK_BYTES       (-0.5)
#define BOTTLENECK_BYTES_CLEAR (-0.7)
#define BOTTLENECK_CALLS_CLEAR (-0.3)

/* A NULL beside the load waits as the op does from SHARED of the op's own wait on; clearly so from
 * SHARED_CLEAR on, and clearly not below OWN_CLEAR. */
#define BOTTLENECK_SHARED       0.4
#define BOTTLENECK_SHARED_CLEAR 0.5
#define BOTTLENECK_OWN_CLEAR    0.3
#define BOTTLENECK_PASSES       0.05 /* less is no queue that both share, whatever its size */

/* The line: shares of segments from which loss and another order matter; a part of the mean time
 * that typical calls do not have, as one timeout in a thousand calls makes it; and for how much of
 * the time a window or a buffer must be full. */
#define BOTTLENECK_LOST       0.0005
#define BOTTLENECK_DISORDER   0.002
#define BOTTLENECK_STALLED    0.3
#define BOTTLENECK_WINDOW     0.4
#define BOTTLENECK_WINDOW_USE 0.6 /* of the window, by the least round trip */
#define BOTTLENECK_JITTER_NS  5e5 /* a variation below this is the machine's own */

/* How sure an answer is. */
enum bottleneck_sureness {
    BOTTLENECK_GUESS,  /* the best of several explanations */
    BOTTLENECK_LIKELY, /* one piece of evidence speaks for it, and none against it */
    BOTTLENECK_SURE,   /* two independent pieces do, or the resource itself was seen to be busy */
};

/* "guess", "likely", "sure"; NULL after the last. */
extern const char *const bottleneck_sureness_names[];

struct bottleneck_answer {
    enum bottleneck limit;
    enum bottleneck_sureness sureness;
    char
        evidence[256]; /* a clause with figures: "94.9 Mbit/s of READ replies at 4 and at 64 KiB" */
    char advice[160];  /* what would move it, a clause: "more calls in flight will not help" */
};

/* Find the limit from EVIDENCE, and set ANSWER; doc/METHOD.md ("Who is the bottleneck") has how
 * each conclusion follows. Rules are tried in turn, and the first that holds is the answer: a
 * resource that is seen to be busy; what makes a round trip long, while throughput still grows; and
 * where it no longer grows, what is limited by connection, by time, by all calls or by the op. */
void bottleneck_judge(const struct bottleneck_evidence *evidence, struct bottleneck_answer *answer);

/* The limit alone. */
enum bottleneck bottleneck_find(const struct bottleneck_evidence *evidence);

/* The marginal gain d ln throughput / d ln load between two points; NAN if they do not determine
 * it. */
double bottleneck_gain(double load_before, double throughput_before, double load,
                       double throughput);
