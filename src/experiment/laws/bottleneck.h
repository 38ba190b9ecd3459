/* What limits the throughput under a load: a pure function of observations at this load, of the
 * throughput's growth from smaller loads, and of trials. A trial is a short extra measurement that
 * changes one condition of the load. */
#pragma once

#include <math.h>
#include <stdbool.h>

enum bottleneck {
    BOTTLENECK_UNKNOWN,    /* no rule applied; the evidence says what was ruled out */
    BOTTLENECK_NONE,       /* the offered rate was reached */
    BOTTLENECK_ROUND_TRIP, /* no resource is busy: more calls in flight would raise the rate */
    BOTTLENECK_CLIENT_CPU, /* the client's processors or its busiest thread are busy */
    BOTTLENECK_SERVER_CPU,
    /* Client and server work alternately although several calls are in flight: while one side
     * handles the calls, the other side waits. */
    BOTTLENECK_LOCKSTEP,
    /* calls of all ops wait for a server thread, although the processors are not busy */
    BOTTLENECK_SERVER_THREADS,
    /* server threads wait for one lock, so that in total they use one processor */
    BOTTLENECK_SERVER_LOCK,
    BOTTLENECK_SERVER_DEVICE,  /* calls wait for stable storage */
    BOTTLENECK_LOCK_OR_DEVICE, /* lock or storage: a client can't distinguish them */
    BOTTLENECK_CONNECTION,     /* calls of one connection wait for each other */
    BOTTLENECK_CALL_RATE,      /* the server limits calls per second */
    BOTTLENECK_BYTE_RATE,      /* the server or its storage limits bytes per second */
    BOTTLENECK_LINK,           /* the link is saturated */
    BOTTLENECK_LOSS,           /* the link loses packets */
    BOTTLENECK_REORDERING,     /* the link reorders packets, which TCP takes for loss */
    BOTTLENECK_JITTER, /* latency of the link varies by at least 0.5 ms and half its minimum */
    BOTTLENECK_RECEIVE_WINDOW, /* TCP's receive window of the client or server is full */
    BOTTLENECK_SEND_BUFFER,
    BOTTLENECK_SLOTS, /* calls wait for an RPC slot of the client */
};

/* Stable names for programs: "unknown", "none", "round-trip", ...; NULL after the last. */
extern const char *const bottleneck_names[];

/* Phrases for people: "limited by the line", ...; NULL after the last. */
extern const char *const bottleneck_phrases[];

/* Results of trials at the load, in a closed loop; NAN if a trial was not made. Rates: calls/s. */
struct bottleneck_trials {
    /* Elasticity d ln rate / d ln size, from the same load with another size of READ or WRITE: 0 if
     * calls per second are limited, -1 if bytes per second are. */
    double size_elasticity;
    /* CONNECTIONS: the factor by which the trial multiplied the connections, with the same calls in
     * flight. CONNECTIONS_RATIO: the rate in the trial / the rate of the unchanged load. */
    double connections, connections_ratio;
    /* Median round trips of NULL on its own connection: without the load, and during the load. */
    double null_alone_ns, null_under_load_ns;
    double pause_ratio;    /* rate of the first calls after a pause / of the fastest block before */
    double unstable_ratio; /* rate of UNSTABLE WRITEs / rate of the stable WRITEs */
};

#define BOTTLENECK_NO_TRIALS ((struct bottleneck_trials){NAN, NAN, NAN, NAN, NAN, NAN, NAN})

/* Evidence on a load. Shares are 0 to 1; NAN: unknown. */
struct bottleneck_evidence {
    /* The load, and its throughput and times. */
    double in_flight;   /* number of calls in flight in a closed loop; NAN in an open loop */
    double connections; /* number of connections that carry the calls in flight */
    /* Share of the offered rate that was sent or, if smaller, answered; NAN in a closed loop. */
    double reached;
    /* Elasticity d ln throughput / d ln load from the next smaller load: bottleneck_gain(). */
    double gain;
    double rate;              /* calls per second */
    double response_ns;       /* typical time of a call; in an open loop, the median */
    double response_mean_ns;  /* mean time of a call, which includes rare long waits */
    double response_least_ns; /* shortest RESPONSE_NS over all loads of this op, variant and size */
    double response_spread_ns; /* p99 - p50 of a call's time at the smallest load */
    double null_ns;            /* typical time of NULLs in an equal load of NULLs alone */
    double null_least_ns;      /* typical time of NULLs in the smallest load of NULLs alone */

    /* Use of processors. */
    /* mean share of a processor that a thread of the client uses; NAN if the client spins */
    double client_cpu;
    /* Share of one processor that the client's busiest thread uses; NAN if the client spins. */
    double client_thread_cpu;
    double server_cpu;        /* used share of the processors that the server may use */
    double server_thread_cpu; /* share of one processor that the server's busiest thread uses */
    double server_cpus;       /* number of processors that the server uses */
    double both_cpus; /* number of processors that client and server use; NAN if the client spins */
    double machine_cpu; /* busy share of the client machine's processors, with all processes */

    /* The link, and TCP in the client's kernel (struct tcp_info), during the load. */
    double link;             /* bytes per second in the busier direction / speed of the link */
    double bytes_per_s;      /* bytes/s received; for WRITE, or if unknown: of file data */
    bool sends_most;         /* the busier direction is from client to server */
    double rtt_ns;           /* smoothed RTT, mean over the connections */
    double rtt_least_ns;     /* minimum RTT */
    double rtt_variation_ns; /* mean deviation of the RTT (RFC 6298, RTTVAR) */
    double retransmitted;    /* retransmitted segments / segments sent */
    double out_of_order;     /* segments received out of order / segments received */
    /* Share of the retransmitted segments that had arrived before (reported by DSACK). */
    double spurious;
    double window_limited; /* share of the time in which the server's receive window was full */
    double buffer_limited; /* share of the time in which the client's send buffer was full */
    double window_used;    /* bytes in flight to the client / the client's receive window */
    double resent;         /* UDP: retransmissions / calls */
    double slots_waiting;  /* number of calls that wait for an RPC slot of the kernel's client */

    bool fails_objective; /* calls take longer than the objective of a search allows */
    bool moves_data;      /* the op is READ or WRITE */
    bool is_write;        /* the op is WRITE */
    bool is_stable;       /* the op is a COMMIT, or a WRITE that is not UNSTABLE */
    struct bottleneck_trials trials;
};

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

/* A resource counts as busy from these shares on. At 0.9, a mean of nine calls is at the resource
 * (M/M/1). A saturated link is below 1, because framing takes some of its speed. A thread's share
 * is of one processor. */
#define BOTTLENECK_CPU_BUSY    0.90
#define BOTTLENECK_THREAD_BUSY 0.90
#define BOTTLENECK_LINK_BUSY   0.90

/* Processors that other processes use, too, may be the limit from this share on. This rule requires
 * that the throughput does not grow, and that a NULL's wait is long or unknown. From this share of
 * the client's machine on, jitter, loss and reordering are guesses. */
#define BOTTLENECK_NEARLY_BUSY 0.75

/* If server threads wait for one lock, the server uses one processor, plus or minus this number. */
#define BOTTLENECK_LOCK 0.2

/* If client and server work alternately, they use one processor, plus or minus this number. */
#define BOTTLENECK_TURNS 0.1

/* From this share of the offered rate on, the rate is surely reached. From 0.95 on, it is likely
 * reached, unless the throughput is known to grow more slowly than the rate. */
#define BOTTLENECK_RATE_REACHED 0.99

/* Smallest gain that counts as growth of the throughput; 1 is in proportion to the load. */
#define BOTTLENECK_GAIN 0.20

/* Smallest ratio of rates or times in a trial that counts as an effect (RATIO), and as a clear
 * effect (CLEAR_RATIO). Repeated measurements of one load differ by 10 to 20 % on a busy machine.
 * If one connection is the limit, four connections have up to 4 times the rate. */
#define BOTTLENECK_RATIO       1.3
#define BOTTLENECK_CLEAR_RATIO 2.0

/* Elasticity d ln(calls/s) / d ln(size of a call). If it is BOTTLENECK_BYTES or less, bytes per
 * second are limited (clearly from BYTES_CLEAR down); else calls per second are (clearly from
 * CALLS_CLEAR up). Headers make it -0.9 instead of -1 on a saturated link. */
#define BOTTLENECK_BYTES       (-0.5)
#define BOTTLENECK_BYTES_CLEAR (-0.7)
#define BOTTLENECK_CALLS_CLEAR (-0.3)

/* Extra wait of a NULL during the load / extra wait of the op. From SHARED on, all ops wait
 * (clearly from SHARED_CLEAR on). Below SHARED, only this op waits (below OWN_CLEAR, clearly). */
#define BOTTLENECK_SHARED       0.4
#define BOTTLENECK_SHARED_CLEAR 0.5
#define BOTTLENECK_OWN_CLEAR    0.3
#define BOTTLENECK_PASSES       0.05 /* below this ratio, NULL does not wait in the op's queue */

/* Thresholds for the link. LOST: retransmitted segments or repeated calls, as a share; DISORDER:
 * segments out of order, as a share; STALLED: 1 - typical time / mean time of a call (one timeout
 * in a thousand calls is enough); WINDOW: share of the time in which a window or buffer is full. */
#define BOTTLENECK_LOST       0.0005
#define BOTTLENECK_DISORDER   0.002
#define BOTTLENECK_STALLED    0.3
#define BOTTLENECK_WINDOW     0.4
#define BOTTLENECK_WINDOW_USE 0.6 /* a window counts as full from this used share on */
/* smallest RTT variation that counts as jitter, ns; the machine itself causes smaller ones */
#define BOTTLENECK_JITTER_NS 5e5

enum bottleneck_sureness {
    BOTTLENECK_GUESS,  /* the best of several explanations */
    BOTTLENECK_LIKELY, /* one piece of evidence for the answer, and none against it */
    BOTTLENECK_SURE,   /* two independent pieces of evidence, or a measured busy resource */
};

extern const char *const bottleneck_sureness_names[];

struct bottleneck_answer {
    enum bottleneck limit;
    enum bottleneck_sureness sureness;
    /* Clauses with figures: "94.9 Mbit/s to the client, ...". */
    char evidence[320];
    /* A clause on what would raise the limit: "a faster line, or fewer bytes; ...". */
    char advice[160];
};

/* Find the limit from EVIDENCE, and set ANSWER. The first rule that applies gives the answer: rules
 * for busy resources come first, then rules for any throughput (a reached rate, alternate work, RPC
 * slots, the link, the round trip), then rules for a throughput that does not grow (the limit of
 * the rate, of a connection, of all calls, or of this op). If other processes keep the machine
 * busy, ANSWER is a guess. See doc/METHOD.md ("Who is the bottleneck"). */
void bottleneck_judge(const struct bottleneck_evidence *evidence, struct bottleneck_answer *answer);

/* Return only the limit that bottleneck_judge() finds. */
enum bottleneck bottleneck_find(const struct bottleneck_evidence *evidence);

/* Return the gain d ln throughput / d ln load between two points; NAN if it is undefined. */
double bottleneck_gain(double load_before, double throughput_before, double load,
                       double throughput);
