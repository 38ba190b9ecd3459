/* An op of a measurement: all that is known of it. Times are in ns unless a name says otherwise;
 * texts that are not known are NULL, numbers NAN. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/counters.h"
#include "measure/histogram.h"
#include "measure/ledger.h"
#include "measure/statistics/estimate.h"
#include "measure/statistics/launches.h"
#include "measure/timeline.h"

/* What a series is in its run. */
enum result_role {
    RESULT_NULL,         /* the null calls, which costs are above */
    RESULT_NULL_CONTROL, /* a second series of them, measured as an op is: it shows the noise */
    RESULT_LOCAL,        /* what an op is without NFS, on files of the client's machine */
    RESULT_MIX,          /* the calls of all ops of a mix, which follow it */
    RESULT_OP,
};

/* For programs: "null", "null_control", "local", "mix", "op". */
extern const char *const result_role_keys[];

/* A distribution in a few figures. */
struct result_latency {
    double minimum, mean, stddev, p50, p90, p99, p999, p9999, maximum;
};

struct result_error {
    const char *name; /* the protocol's: "NFS3ERR_STALE" */
    uint64_t count;
};

/* What an op costs above the calls of its baseline. */
struct result_cost {
    struct interval cost, p50, p90, p99;
    double mean_difference; /* plain difference of the means, for comparison */
    double tsc_cycles;      /* the cost's estimate; NAN where another clock timed the run */
    double share;           /* of the op's mean latency */
    bool distinguishable;   /* the interval leaves out 0, and the cost exceeds the noise floor */
};

/* The same in the mean, which rare slow calls are part of. */
struct result_mean_cost {
    struct interval cost;
    struct interval rare; /* what it has beyond the typical cost */
    double rare_share;    /* of the calls, that this comes from; NAN: not known */
    bool disagrees;       /* that is more than the noise explains */
};

/* Its parts, which add up to it. */
struct result_split {
    struct interval bytes, pause, server;
    bool extrapolated; /* the op's replies are longer than any that the model was made from */
};

/* How fast an op moves data, and what processor time a mebibyte takes; NAN: not known. */
struct result_bandwidth {
    struct interval megabytes_per_s; /* the estimate is that of the op */
    double client_cpu_ns, server_cpu_ns;
};

/* A client's part in a load. */
struct result_client {
    uint64_t calls; /* that were timed */
    double mean_ns; /* of them, from when they were sent; the clock's cost is in it */
};

/* What a run under load adds to an op. */
struct result_load {
    double in_flight;     /* on average: see load_mean_in_flight(); in an open loop over time */
    double client_cpu_ns; /* of the client's process, per call */
    double fairness;      /* Jain's index over the clients' calls */
    struct result_client *clients;
    size_t client_count;
    bool open_loop;                 /* the members up to unsent are known */
    struct result_latency service;  /* from when calls were sent */
    struct result_latency lateness; /* of the sender */
    double held_ns[LOAD_HOLDS];     /* for how long a call that was due could not be sent, mean */
    uint64_t left_out;              /* calls that were due within one response time after a change
                                     * of op or an interruption, which have no latency */
    uint64_t interruptions;         /* of the schedule, before the op's blocks */
    double interrupted_s;           /* how long they were in all */
    uint64_t unanswered, unsent;    /* calls without a reply, and calls that were due and not sent,
                                     * when waiting was given up */
    const struct timeline_point *timeline;
    size_t timeline_count;
};

/* A time in which calls were sent again. They are in no latency, unless they are counted. */
struct result_gap {
    double at_s, length_s; /* AT_S: since the first round began */
    uint64_t calls;
    unsigned launch; /* that it belongs to, where several launches measured */
};

/* One of the slowest calls of an op, and what the machine did around it. */
struct result_slow_call {
    double ns;
    uint64_t round, call;          /* from 0; CALL is among the timed ones of its block */
    double at_s;                   /* when its block began, since the first round did */
    uint64_t involuntary_switches; /* of the client during its block */
    unsigned rank;                 /* that made it, where several ranks measured */
    unsigned launch;               /* likewise; AT_S counts from the beginning of its rounds */
    bool has_around;
    struct machine_change around;
};

/* The launches that would make an op's interval as narrow as was asked for, in the least time. */
struct result_plan {
    double half_width_ns; /* of the interval */
    struct launches_plan launches;
    double rounds_seconds; /* that the rounds of one launch take */
};

/* What the kernel's NFS client counted of an op on a mount, in blocks that sent what they should.
 */
struct result_mounted {
    const char *system_call;             /* that each call is */
    double rpcs;                         /* a call */
    double queue_ns, rtt_ns, execute_ns; /* means; of whole milliseconds, added up */
    uint64_t timeouts;                   /* major ones */
    uint64_t connections;                /* that the mount has; 0: not known */
    uint64_t slots;                      /* the most that one of them had in use; 0: not known */
    double backlog;        /* calls that waited for a slot when a message was sent, mean */
    uint64_t blocks_again; /* that sent other RPCs, do not count, and were made again */
    const char *instead;   /* what the last of them sent; NULL: there was none */
};

struct result_op {
    const char *op;
    enum result_role role;
    const struct result_op *baseline; /* what its cost is above: null, or mount-null for MOUNT's;
                                         on a mount what its client answers; NULL for null itself,
                                         and without a baseline */
    const char *object;               /* path of what it was applied to */
    uint64_t calls;                   /* issued after the warm-up */
    uint64_t timed;                   /* of those, answered well at the first try */
    uint64_t elapsed_ns;              /* spent in this series' blocks; 0: not known */
    uint64_t failed;                  /* calls answered by an error */
    struct result_error *errors;
    size_t error_count;
    bool retransmissions_known; /* false: the engine's library does not count them */
    uint64_t retransmissions, reconnections;
    uint64_t renewals;       /* security contexts that the server no longer knew */
    struct result_gap *gaps; /* the longest, longest first */
    size_t gap_count;
    uint64_t gaps_in_all; /* 0: none, or not known */
    uint64_t unmatched;   /* replies with an xid that nobody waited for */
    uint64_t early;       /* unmatched replies to calls that had not been sent yet */
    double rate_per_s;    /* 0: not known, as of an op in a mix, whose calls come between others */
    double megabytes_per_s; /* 10^6 bytes of files; NAN: none, or not known */
    double
        data_bytes; /* of files that a call moves; NAN: none, or not known. A mix's is the mean */
    bool has_bandwidth;
    struct result_bandwidth bandwidth;
    bool has_of_local;
    struct interval of_local; /* its rate, of that of its local op */
    uint64_t places;          /* that its calls visit; 0: not known, or a mix */
    /* Of an op of several calls: how many it is, and how many entries of directories it brings, on
     * average; and the mean time of an entry, ns, and entries per second. NAN: it is one call. */
    double calls_each, entries_each, entry_ns, entries_per_s;
    double call_bytes, reply_bytes; /* of the messages with their record marks; a mix's are means */
    double tls_call_bytes, tls_reply_bytes; /* of the records of TLS that have them; 0: not known */
    double reply_packets;
    struct result_latency latency;     /* in an open loop from when a call was due */
    const struct histogram *histogram; /* of the same; NULL: not known */
    const struct heat_map *map;        /* of the same over time; NULL: the run had no --interval */
    const double *blocks;              /* of each round, the trimmed mean of this series' block */
    const double *block_means;         /* likewise the plain mean; NULL: not known */
    bool has_echo;
    struct interval echo;      /* what an exchange with the witness takes that is as long as a call:
                                  the median over the rounds of the blocks' medians */
    const double *echo_blocks; /* these, of each round; NULL: not known */
    struct interval round_trip; /* in one launch alone: the median over its rounds */
    bool has_above_null;
    struct result_cost above_null; /* the typical cost: of trimmed means */
    bool has_mean_cost;
    struct result_mean_cost mean_cost;
    bool has_p99_cost;
    struct interval p99_cost; /* the p99 of all its calls less its baseline's; of a single launch
                                 without an interval */
    bool has_split;
    struct result_split split;
    const struct ledger_entry *client, *server; /* per call; NULL: not counted */
    struct result_load *load;                   /* NULL: the run made none */
    struct result_mounted *mounted;             /* NULL: not on a mount */
    struct result_slow_call *slowest;           /* slowest first */
    size_t slowest_count;
    /* Of what is compared of it (its cost, or its round trip where it has none), where there are
     * several launches. */
    bool has_spread;
    struct launches_spread spread;
    struct launches_levels levels;
    bool has_plan;
    struct result_plan plan;
};
