/* An op of a measurement. Times are in ns unless a name says otherwise; unknown numbers are NAN
 * unless a comment says 0. */
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

/* Why a run makes a series of calls. */
enum result_role {
    RESULT_NULL, /* NULL calls, the baseline of most costs */
    /* NULL calls measured like an op; their true cost is 0, so their measured cost is noise */
    RESULT_NULL_CONTROL,
    RESULT_LOCAL, /* the calls of an op on files of the client's machine, without NFS */
    RESULT_MIX,   /* the calls of all ops of a mix together; the series of each op follows */
    RESULT_OP,
};

/* JSON words for the roles, in their order: "null", "null_control", "local", "mix", "op". */
extern const char *const result_role_keys[];

/* A summary of a distribution of latencies, ns. */
struct result_latency {
    double minimum, mean, stddev, p50, p90, p99, p999, p9999, maximum;
};

struct result_error {
    const char *name; /* from nfs_status_name(): "NFS3ERR_STALE", "ESTALE", "SHORT_READ", ... */
    uint64_t count;
};

/* The typical cost: in a launch, the median over the rounds of the op's trimmed mean minus its
 * baseline's. P50 to P99 compare quantiles instead of trimmed means. */
struct result_cost {
    struct interval cost, p50, p90, p99;
    /* mean of all the op's latencies minus mean of all its baseline's; unlike COST not trimmed */
    double mean_difference;
    double tsc_cycles; /* COST's estimate in TSC cycles; NAN if the run used another clock */
    double share;      /* COST's estimate / the op's mean latency */
    /* true: COST's interval excludes 0, and |COST| exceeds the noise floor */
    bool distinguishable;
};

/* The mean cost. Unlike the typical cost, it includes rare slow calls. */
struct result_mean_cost {
    struct interval cost;
    struct interval rare; /* the mean cost minus the typical cost */
    double rare_share;    /* share of the op's calls that cause 95 % of RARE; NAN if not known */
    bool disagrees;       /* RARE is too large to be noise */
};

/* Parts of the typical cost, ns: caused by the messages' BYTES, by the client's PAUSE before a
 * call, and by the SERVER (the rest). */
struct result_split {
    struct interval bytes, pause, server;
    /* the op's replies are longer than all replies that the cost model was fitted to */
    bool extrapolated;
};

/* The throughput of an op's file data, and the processor time per MiB; NAN if not known. */
struct result_bandwidth {
    struct interval megabytes_per_s; /* throughput, 10^6 bytes per second */
    double client_cpu_ns, server_cpu_ns;
};

/* One client of a run under load, for one op. */
struct result_client {
    uint64_t calls; /* number of the client's timed calls */
    double mean_ns; /* mean time from sending a call to its reply, with the clock's cost */
};

/* Results of an op that only a run under load has. */
struct result_load {
    /* Mean number of calls in flight: in a closed loop load_mean_in_flight(), in an open loop the
     * mean over the time in which calls were sent. */
    double in_flight;
    double client_cpu_ns; /* processor time per call of the client (open loop: its senders), ns */
    double fairness;      /* Jain's fairness index of the clients' throughputs, 0 to 1 */
    struct result_client *clients;
    size_t client_count;
    /* true for an open loop; if false, the members from SERVICE to UNSENT are unknown */
    bool open_loop;
    struct result_latency service; /* latency from the time when a call was sent */
    /* time from when a call was due to when it was sent, without the time for which it was held;
     * caused by the client's processor */
    struct result_latency lateness;
    /* time for which due calls could not be sent, by reason; means over all calls */
    double held_ns[LOAD_HOLDS];
    /* Number of calls that have no latency because they were due within about one response time
     * after a change of op, an interruption, or the start of a block with its own schedule. */
    uint64_t left_out;
    uint64_t interruptions; /* number of interruptions of the schedule before the op's blocks */
    double interrupted_s;   /* total length of the interruptions */
    /* Numbers of calls when the run stopped waiting: UNANSWERED were sent and had no reply, UNSENT
     * were due and not sent. */
    uint64_t unanswered, unsent;
    const struct timeline_point *timeline;
    size_t timeline_count;
};

/* A gap: a time in which retransmitted calls waited. Under load, the wire engine notes only times
 * without any reply. By default, retransmitted calls have no latency. */
struct result_gap {
    double at_s, length_s; /* AT_S: begin of the gap, s after the first round began */
    uint64_t calls;
    unsigned launch; /* number of the launch, from 0 */
};

/* One of the slowest calls of an op, and the machine's counters at that time. */
struct result_slow_call {
    double ns;
    uint64_t round, call; /* numbers, from 0, of the round and of the timed call in its block */
    double at_s;          /* begin of the call's block, s after the first round of the launch */
    uint64_t involuntary_switches; /* involuntary context switches of the client in the block */
    unsigned rank;                 /* number of the rank that made the call, from 0 */
    unsigned launch;               /* number of the launch, from 0 */
    bool has_around;
    struct machine_change around;
};

/* The numbers of launches and rounds that reach an op's requested precision in the least time. */
struct result_plan {
    double half_width_ns; /* half of the requested width of the interval */
    struct launches_plan launches;
    double rounds_seconds; /* time of all rounds of a launch */
};

/* Counts of the kernel's NFS client for an op on a mount, only in blocks that sent the expected
 * RPCs. */
struct result_mounted {
    const char *system_call; /* the system call that each call of the op makes */
    double rpcs;             /* RPCs per call */
    /* mean times per call of the op; the kernel counts whole ms */
    double queue_ns, rtt_ns, execute_ns;
    uint64_t timeouts;    /* number of major timeouts */
    uint64_t connections; /* number of the mount's connections; 0 if not known */
    uint64_t slots;       /* most slots that a connection used at once since mounting; 0: unknown */
    double backlog;       /* mean number of RPCs that waited for a slot when a message was sent */
    uint64_t blocks_again; /* number of blocks that were repeated because they sent other RPCs */
    const char *instead;   /* RPCs of the last block that was repeated; NULL if none was */
};

struct result_op {
    const char *op;
    enum result_role role;
    /* The series whose time is subtracted to get this op's cost: usually null. For calls of MOUNT:
     * mount-null. For an op of several calls: as many NULL calls. On a mount: an op whose system
     * call needs no RPC. NULL for null, local ops, and runs without a baseline. */
    const struct result_op *baseline;
    const char *object;  /* path of the object that the op was applied to */
    uint64_t calls;      /* number of calls made after the warm-up */
    uint64_t timed;      /* number of calls with a latency */
    uint64_t elapsed_ns; /* total time of the op's blocks; 0 if not known */
    uint64_t failed;     /* number of calls with an error (ERRORS) */
    struct result_error *errors;
    size_t error_count;
    bool retransmissions_known; /* the engine's library counts retransmissions */
    uint64_t retransmissions, reconnections;
    uint64_t renewals;       /* number of GSS contexts renewed: the server no longer knew them */
    struct result_gap *gaps; /* the longest gaps, longest first */
    size_t gap_count;
    uint64_t gaps_in_all;   /* number of all gaps; 0 also if not known */
    uint64_t unmatched;     /* number of replies with an xid that no call waited for */
    uint64_t early;         /* number of UNMATCHED replies whose call had not been sent yet */
    double rate_per_s;      /* calls per second; 0 if not known, as for an op of a mix */
    double megabytes_per_s; /* 10^6 bytes of file data per second; NAN if none or not known */
    /* Bytes of file data that a call moves; for a mix the mean. NAN if none or not known. */
    double data_bytes;
    bool has_bandwidth;
    struct result_bandwidth bandwidth;
    bool has_of_local;
    struct interval of_local; /* the op's rate / the rate of the same op on local files */
    uint64_t places; /* number of places in files that calls access; 0 if not known, or for a mix */
    /* For an op that makes several calls: CALLS_EACH, mean number of calls; ENTRIES_EACH, mean
     * number of directory entries in the replies; ENTRY_NS, mean time per entry; ENTRIES_PER_S,
     * entries per second. NAN for other ops. */
    double calls_each, entries_each, entry_ns, entries_per_s;
    /* Mean bytes of a call and a reply, with TCP's record marks. If each op makes several calls,
     * the bytes of an op's calls are summed; the mean is over the ops. */
    double call_bytes, reply_bytes;
    /* mean lengths in bytes of the TLS records with a call and a reply; 0 or NAN if not known */
    double tls_call_bytes, tls_reply_bytes;
    double reply_packets;
    /* latencies; in an open loop from the time when a call was due */
    struct result_latency latency;
    const struct histogram *histogram; /* histogram of the latencies; NULL if not known */
    const struct heat_map *map; /* latencies over time; NULL without --interval, or after merging */
    const double *blocks;       /* for each round, the trimmed mean of the block's latencies */
    /* for each round, the untrimmed mean of the block's latencies; NULL if not known */
    const double *block_means;
    bool has_echo;
    /* Time of an exchange with the witness (a bare echo server) of messages as long as the op's:
     * in a launch, the median of ECHO_BLOCKS. */
    struct interval echo;
    const double *echo_blocks;  /* for each round, the median of the echoes; NULL if not known */
    struct interval round_trip; /* median of BLOCKS; only for the ops of a launch */
    bool has_above_null;
    struct result_cost above_null;
    bool has_mean_cost;
    struct result_mean_cost mean_cost;
    bool has_p99_cost;
    /* p99 of all the op's calls minus p99 of its baseline's; no interval if there is one launch */
    struct interval p99_cost;
    bool has_split;
    struct result_split split;
    const struct ledger_entry *client, *server; /* resource counters per call; NULL: not counted */
    struct result_load *load;                   /* results of a run under load; else NULL */
    struct result_mounted *mounted;   /* the kernel's counts for an op on a mount; else NULL */
    struct result_slow_call *slowest; /* the slowest calls, slowest first */
    size_t slowest_count;
    /* true: SPREAD is known. It describes the cost or, if the op has no cost, the round trip. */
    bool has_spread;
    struct launches_spread spread;
    struct launches_levels levels;
    bool has_plan;
    struct result_plan plan;
};
