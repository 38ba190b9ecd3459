/* An op of a measurement. Times are in ns unless a name says otherwise; unknown numbers are NAN. */
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

/* The role of a series of calls in its run. */
enum result_role {
    RESULT_NULL,         /* the NULL calls that costs are measured against */
    RESULT_NULL_CONTROL, /* NULL calls measured like an op; their cost shows the noise */
    RESULT_LOCAL,        /* an op without NFS, on files of the client's machine */
    RESULT_MIX,          /* the calls of all ops of a mix; the ops follow it */
    RESULT_OP,
};

/* JSON words: "null", "null_control", "local", "mix", "op". */
extern const char *const result_role_keys[];

/* A summary of a distribution of latencies. */
struct result_latency {
    double minimum, mean, stddev, p50, p90, p99, p999, p9999, maximum;
};

struct result_error {
    const char *name; /* as in the protocol, such as "NFS3ERR_STALE" */
    uint64_t count;
};

/* The cost: by how much an op takes longer than the calls of its baseline. */
struct result_cost {
    struct interval cost, p50, p90, p99;
    double mean_difference; /* difference of the plain means, for comparison */
    double tsc_cycles;      /* the estimate of COST; NAN if the run used another clock */
    double share;           /* COST as a share of the op's mean latency */
    bool distinguishable;   /* the interval of COST excludes 0, and COST exceeds the noise floor */
};

/* The mean cost: includes rare slow calls, unlike the typical cost. */
struct result_mean_cost {
    struct interval cost;
    struct interval rare; /* the mean cost minus the typical cost */
    double rare_share;    /* share of the calls that RARE comes from; NAN if not known */
    bool disagrees;       /* RARE is more than noise explains */
};

/* The parts of a cost, which add up to the cost. */
struct result_split {
    struct interval bytes, pause, server;
    bool extrapolated; /* the op's replies are longer than all that the model was fitted to */
};

/* How fast an op moves data, and the processor time per MiB; NAN if not known. */
struct result_bandwidth {
    struct interval megabytes_per_s; /* of the op; the estimate is the op's megabytes_per_s */
    double client_cpu_ns, server_cpu_ns;
};

/* What one client of a load did. */
struct result_client {
    uint64_t calls; /* that were timed */
    double mean_ns; /* mean latency from the time of sending, including the clock's cost */
};

/* What a run under load records of an op. */
struct result_load {
    double in_flight; /* mean calls in flight (load_mean_in_flight()); open loop: mean over time */
    double client_cpu_ns; /* processor time of the client process per call */
    double fairness;      /* Jain's index over the clients' calls */
    struct result_client *clients;
    size_t client_count;
    bool open_loop;                 /* an open loop: the members up to UNSENT are known */
    struct result_latency service;  /* latency from the time when a call was sent */
    struct result_latency lateness; /* how late the sender sent calls that could be sent */
    double held_ns[LOAD_HOLDS]; /* mean time for which a due call could not be sent, by reason */
    /* Calls without a latency: due within a response time after a change of op or an
     * interruption. */
    uint64_t left_out;
    uint64_t interruptions; /* of the schedule, before the op's blocks */
    double interrupted_s;   /* total length of the interruptions */
    /* When waiting was given up: sent calls without a reply, and due calls that were not sent. */
    uint64_t unanswered, unsent;
    const struct timeline_point *timeline;
    size_t timeline_count;
};

/* A gap: a time in which calls were retransmitted. By default latencies leave these calls out. */
struct result_gap {
    double at_s, length_s; /* AT_S: since the first round began */
    uint64_t calls;
    unsigned launch; /* number of the launch, if there are several */
};

/* One of the slowest calls of an op, and the machine's counters at that time. */
struct result_slow_call {
    double ns;
    uint64_t round, call;          /* from 0; CALL counts the timed calls of its block */
    double at_s;                   /* when its block began, since the first round began */
    uint64_t involuntary_switches; /* of the client during the block */
    unsigned rank;                 /* number of the rank that made the call, if there are several */
    unsigned launch; /* number of the launch, if there are several; AT_S is then within it */
    bool has_around;
    struct machine_change around;
};

/* The launches that would make an op's interval as narrow as requested, in the least time. */
struct result_plan {
    double half_width_ns; /* half of the requested width of the interval */
    struct launches_plan launches;
    double rounds_seconds; /* time of the rounds of one launch */
};

/* Counts of the kernel's NFS client for an op on a mount, in blocks with the expected RPCs only. */
struct result_mounted {
    const char *system_call;             /* the system call that each call of the op makes */
    double rpcs;                         /* RPCs per call */
    double queue_ns, rtt_ns, execute_ns; /* means; the kernel counts whole milliseconds */
    uint64_t timeouts;                   /* major timeouts */
    uint64_t connections;                /* of the mount; 0 if not known */
    uint64_t slots;        /* largest number of slots that one connection used; 0 if not known */
    double backlog;        /* mean number of calls that waited for a slot when a message was sent */
    uint64_t blocks_again; /* blocks that sent other RPCs; they were repeated and do not count */
    const char *instead;   /* what the last of these blocks sent; NULL if there was none */
};

struct result_op {
    const char *op;
    enum result_role role;
    /* The op that the cost is above: null; mount-null for the calls of MOUNT; on a mount, calls
     * that the kernel's client answers itself. NULL for null itself, and without a baseline. */
    const struct result_op *baseline;
    const char *object;  /* path of the object that the op was applied to */
    uint64_t calls;      /* issued after the warm-up */
    uint64_t timed;      /* calls that were answered without an error at the first attempt */
    uint64_t elapsed_ns; /* time of the blocks of this series; 0 if not known */
    uint64_t failed;     /* calls that were answered with an error */
    struct result_error *errors;
    size_t error_count;
    bool retransmissions_known; /* false if the engine's library does not count them */
    uint64_t retransmissions, reconnections;
    uint64_t renewals; /* GSS contexts that were renewed because the server no longer knew them */
    struct result_gap *gaps; /* the longest gaps, longest first */
    size_t gap_count;
    uint64_t gaps_in_all;   /* number of all gaps; 0 also if not known */
    uint64_t unmatched;     /* replies with an xid that no call waited for */
    uint64_t early;         /* unmatched replies to calls that had not been sent yet */
    double rate_per_s;      /* 0 if not known, as for an op of a mix */
    double megabytes_per_s; /* 10^6 bytes of file data per second; NAN if none or not known */
    /* Bytes of file data that a call moves, the mean for a mix. NAN if none or not known. */
    double data_bytes;
    bool has_bandwidth;
    struct result_bandwidth bandwidth;
    bool has_of_local;
    struct interval of_local; /* the op's rate as a share of the rate of its local op */
    uint64_t places; /* places in files that its calls access; 0 if not known, or for a mix */
    /* Of an op of several calls: mean number of calls, mean number of directory entries that they
     * return, mean time per entry (ns), and entries per second. NAN for an op of one call. */
    double calls_each, entries_each, entry_ns, entries_per_s;
    double call_bytes, reply_bytes; /* lengths of the messages with record marks; means for a mix */
    /* Lengths of the TLS records that carry the messages; 0 if not known. */
    double tls_call_bytes, tls_reply_bytes;
    double reply_packets;
    struct result_latency latency;     /* in an open loop from the time when a call was due */
    const struct histogram *histogram; /* of the latencies; NULL if not known */
    const struct heat_map *map;        /* latencies over time; NULL if the run had no --interval */
    const double *blocks;              /* for each round, the trimmed mean of this series' block */
    const double *block_means; /* for each round, the plain mean of the block; NULL if not known */
    bool has_echo;
    /* Time of an exchange with the witness (a bare echo server) that is as long as a call: the
     * median over the rounds of the blocks' medians. */
    struct interval echo;
    /* For each round, the block's median of the echoes; NULL if not known. */
    const double *echo_blocks;
    struct interval round_trip; /* median over the rounds; known only if there is one launch */
    bool has_above_null;
    struct result_cost above_null; /* the typical cost: from the blocks' trimmed means */
    bool has_mean_cost;
    struct result_mean_cost mean_cost;
    bool has_p99_cost;
    /* p99 of all its calls minus that of its baseline; without an interval if there is one
     * launch. */
    struct interval p99_cost;
    bool has_split;
    struct result_split split;
    const struct ledger_entry *client, *server; /* per call; NULL if not counted */
    struct result_load *load;                   /* NULL if the run was not under load */
    struct result_mounted *mounted;             /* NULL if the op did not run on a mount */
    struct result_slow_call *slowest;           /* slowest first */
    size_t slowest_count;
    /* How the compared value (the cost, or else the round trip) varies over several launches. */
    bool has_spread;
    struct launches_spread spread;
    struct launches_levels levels;
    bool has_plan;
    struct result_plan plan;
};
