/* A measurement: all data of a run. A run sets it (run/outcome/outcome.h), or it is read from a
 * JSON file (output/result/result_json.h), or merged (output/merge/result_merge.h). Times are
 * in ns unless a name says otherwise. Unknown texts are NULL, unknown numbers NAN unless a comment
 * says 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/cpu.h"
#include "common/memory.h"
#include "measure/clock.h"
#include "measure/ledger.h"
#include "measure/load.h"
#include "measure/speed_probe.h"
#include "measure/statistics/estimate.h"
#include "measure/statistics/launches.h"
#include "measure/statistics/precision.h"
#include "measure/validity.h"
#include "output/result/result_op.h"

enum {
    RESULT_OPS_MAXIMUM = 256,
    RESULT_MIX_MAXIMUM = 32,
    RESULT_RANKS_MAXIMUM = 4096,
    RESULT_LAUNCHES_MAXIMUM = 1000,
};

/* A requested op that was not measured, and why. */
struct result_skipped {
    const char *op, *reason;
};

struct result_tool {
    const char *name, *version, *build;
};

struct result_host {
    const char *name; /* name of the host; NULL if not recorded */
    const char *kernel, *machine, *cpu, *clocksource;
    unsigned cpus;
    bool virtual;  /* the machine runs under a hypervisor */
    double tsc_hz; /* frequency of the processor's counter, Hz; NAN if the run used another clock */
    double steal;  /* share of all processors' time that the hypervisor took, 0 to 1 */
};

/* GSS contexts made only to time their steps. MADE is their number; the times are medians in ns. */
struct result_contexts {
    uint64_t made;
    struct interval creation, init, destroy;
    struct interval continued; /* total time of a creation's CONTINUE_INIT calls; NAN without any */
};

/* TLS handshakes that were made only to time them: medians, in ns. A full handshake creates a
 * session; a resumed one uses an earlier session. */
struct result_handshakes {
    uint64_t full, resumed;              /* numbers of handshakes */
    struct interval probe;               /* time of the call that asks the server for TLS */
    struct interval full_ns, resumed_ns; /* times of each kind; NAN if there were none */
    /* number of the run's own connections; how many of them resumed a session */
    uint64_t run_connections, run_resumed;
};

/* Limits of the export, from the server's replies to FSINFO, PATHCONF and FSSTAT; 0: unknown. Sizes
 * in bytes of READ (rt), WRITE (wt) and READDIR (dt): maximum (max) and preferred (pref). */
struct result_limits {
    uint32_t rtmax, rtpref, wtmax, wtpref, dtpref;
    uint32_t properties; /* the export's bits FSF3_* of RFC 1813 */
    uint32_t name_max, link_max;
    uint64_t bytes, bytes_free, files, files_free;
};

struct result_target {
    const char *text; /* the target as the user wrote it */
    const char *host, *export, *path, *address;
    const char *transport;
    uint16_t nfs_port, mount_port;
    const char *auth, *flavors; /* flavor of the calls; all flavors that the server offered */
    struct result_limits limits;
    uint64_t mount_ns, unmount_ns; /* UNMOUNT_NS is 0 if there was no UMNT, or if it failed */
    /* LOOK_UP_NS: time to resolve the host's name; PORT_MAPPER_NS: time to ask the port mapper;
     * MOUNT_NS includes both. CONNECT_NS: time to connect to NFS, with TLS and Kerberos. 0 if not
     * known. */
    uint64_t look_up_ns, port_mapper_ns, connect_ns;
    const struct result_contexts *contexts; /* times of contexts; NULL if none were timed */
    const char *xprtsec;                    /* "tls" or "mtls"; NULL without transport security */
    const char *tls; /* TLS version, cipher, and whether the kernel encrypts; NULL without TLS */
    const struct result_handshakes *handshakes; /* times of handshakes; NULL if none were timed */
    /* Path and options of the mount, if the kernel's NFS client made the calls; else NULL. */
    const char *mount_point, *mount_options;
};

struct result_mix_op {
    const char *op;
    uint32_t weight;
};

/* Text in a mix's name before the ops that the server lacks: "sfs2008 less readdirplus". */
#define RESULT_MIX_LESS " less "

struct result_mix {
    const char *name;
    struct result_mix_op ops[RESULT_MIX_MAXIMUM];
    size_t count;
};

/* An existing tree of files that the run used, and what the walk through the tree counted. */
struct result_tree {
    const char *path;
    uint64_t files, bytes, symlinks, directories, others;
    uint64_t vanished, denied, loops;
    uint64_t calls, elapsed_ns; /* number of calls and time of the walk */
    bool cut; /* the walk stopped early, at the working set's size or another limit */
};

/* The directory on the client's machine that has the files of the local ops. */
struct result_baseline_directory {
    /* FILE_SYSTEM: type of the directory's file system, such as "ext4"; NULL if not known */
    const char *path, *file_system;
    uint64_t bytes; /* bytes of all files that were created in the directory */
    bool direct;    /* the files were read and written with O_DIRECT */
    /* share of the files' bytes that was in the page cache at the end, 0 to 1; NAN if not known */
    double cached_share;
};

/* Parts of a measurement that were left out or reduced because its time was short
 * (measure/time_plan.h). Members called *_usual are the values without a time limit. */
struct result_given_up {
    unsigned launches, launches_usual;
    uint32_t block, block_usual; /* calls in a block */
    bool warmup;                 /* most of the warm-up was left out */
    /* true if the run left out the cost model, the null control or the ledger */
    bool model, control, ledger;
    /* time limit, s, with which nothing would be left out; 0: nothing was left out */
    double usual_seconds;
};

struct result_config {
    const char *engine;
    const struct result_mix *mix; /* the mix of ops; NULL if there is none */
    bool spin, verify, baseline;
    bool count_resent;  /* latencies include those of retransmitted calls */
    bool check_in_time; /* latencies include the verification of protected replies */
    struct load load;   /* the load; if read from a file, without seed, processors, think times */
    /* Requested number of calls of each op. 0: none was requested; precision or time ended the run.
     * A run with --cold makes no more calls than there are unused places, and has that number. */
    uint64_t calls;
    struct precision precision;
    uint64_t maximum_ns;
    uint64_t over_ns; /* time over which the launches were spread; 0: one after another */
    struct result_given_up given_up;
    bool precision_reached;
    uint32_t block; /* number of calls in a block */
    uint64_t timeout_ns;
    unsigned retransmissions;
    uint32_t receive_window; /* receive window of TCP, bytes; 0 if the kernel chose it */
    uint32_t read_size;      /* size of a READ, bytes; 0 if the run planned no READ */
    uint64_t read_offset;
    uint32_t write_size; /* size of a WRITE, bytes; 0 if the run had no WRITE, or not known */
    /* Number of files in the file set, and of entries in the scratch directory; 0: not requested */
    uint32_t files, directory_size;
    uint64_t file_size;             /* size of each file of the file set, bytes */
    const struct result_tree *tree; /* used instead of a file set; NULL if none */
    const char *pattern;            /* value of --pattern; NULL if not known */
    bool cold;                      /* no place of a file was accessed more than once */
    uint64_t working_set_bytes, working_set_files; /* limits of the working set; 0 for none */
    const struct result_baseline_directory *baseline_directory; /* for local ops; NULL if none */
    bool awake; /* the client's processors were kept out of idle states */
    const char *client_cpus;
    int server_cpu; /* processor that the embedded server is pinned to; -1 if none */
    /* processor that client and server share; if its member OF is 0, they do not share one */
    struct cpu_choice one_processor;
};

struct result_rounds {
    size_t done, planned, warmup;
    bool steady; /* the warm-up ended because the latency had become steady */
};

struct result_clock {
    const char *name;
    double ns_per_tick, cost_ns;
    /* by how much the clock's rate differs from CLOCK_MONOTONIC_RAW's, in parts per million */
    double disagreement_ppm;
    double largest_step_ns; /* largest change of the clocks' difference from round to round, ns */
    /* Histogram of the times between two adjacent readings. Bucket i begins at 2^i ns (0: at 0). */
    uint64_t cost_log2[CLOCK_COST_LOG2];
};

/* A rate of the cost model: NS per byte, per packet or per ns of pause. If KNOWN is false, NS is
 * unknown. */
struct result_rate {
    bool known;
    struct interval ns;
};

/* A series of calls that the cost model was fitted to. */
struct result_point {
    const char *op;
    double call, reply, reply_packets, pause_ns;
    uint64_t calls;
    double p50;
};

struct result_model {
    struct result_rate call, reply, packet, pause;
    /* For each of the three fits (call, reply, pause): the largest distance of a series from the
     * fitted line, ns. */
    double call_misfit_ns, reply_misfit_ns, pause_misfit_ns;
    struct result_point *points;
    size_t point_count;
};

struct result_link {
    char name[16];
    double bits_per_s;
};

struct result_ledger {
    bool counted;
    /* PASSES: number of stretches of calls counted for each op; CALLS: calls in a stretch */
    uint64_t passes, calls;
    const struct ledger_entry *client_idle, *server_idle;
    /* process number of a server on this machine; 0 if not known, or if launches had several */
    int server_pid;
    const char *server_missing; /* why the server's counters are missing; NULL if they are there */
    const char *cut_short_by;   /* why counting ended early; NULL if it did not */
    struct result_link links[COUNTERS_INTERFACES_MAXIMUM]; /* interfaces whose speed is known */
    size_t link_count;
};

/* What one rank (process) of a run by several ranks measured. */
struct result_rank {
    const char *host;         /* name of the rank's host; "?" if not recorded */
    double client_cpu_share;  /* processor time per elapsed time: 1 is one busy processor */
    struct validity validity; /* verdict on the rank's measurement alone */
    /* The ops, in the result's order. If read from a file, only numbers of calls, rates, and the
     * mean, p50 and p99 of latencies are known. */
    struct result_op *ops;
    size_t op_count;
};

/* A stall: a time in which the server answered no call (engine/stalls.h). */
struct result_stall {
    /* AT_S: when the stall began, in s since its launch began (before mounting). LENGTH_S: in s */
    double at_s, length_s;
    uint64_t calls; /* number of calls that waited for a reply */
    /* Name of the series of the first noted call, such as "null_control"; name of the procedure if
     * the call belongs to no series. */
    const char *series;
    unsigned launch; /* number of the launch, from 1, if there are several */
};

enum { RESULT_STALLS_MAXIMUM = 1 << 16 };

/* Evidence for the verdict about other load on the machine, as in struct validity_evidence. */
struct result_evidence {
    double client_waited, server_waited, others, core_shared, mean_over_median, outlier_share;
    /* Not used by the verdict: a comparison with the earlier result in the output file. The earlier
     * result counts only if it has the same host, target and settings. */
    /* change of NULL's latency, as a share; NAN if there is no earlier result */
    double null_change;
    const char *earlier_start; /* when the earlier result was measured, RFC 3339 */
};

/* A quantity of an op that is estimated in each launch. */
enum result_quantity {
    RESULT_ROUND_TRIP,
    RESULT_COST,
    RESULT_MEAN_COST,
    RESULT_P99_COST,
    RESULT_SERVER_PART, /* the server's part of the typical cost */
    /* the server's part of the mean cost: the mean cost minus the parts of bytes and pause */
    RESULT_MEAN_SERVER_PART,
    RESULT_BYTES_PART, /* the part that bytes cause; the same for the typical and the mean cost */
    RESULT_ECHO, /* time of an exchange with the witness; its messages are as long as the op's */
    RESULT_QUANTITIES
};

/* JSON keys of the quantities: "round_trip", "above_null", "mean_above_null", "p99_above_null",
 * "server_part", "mean_server_part", "bytes_part" and "echo"; ends with NULL. */
extern const char *const result_quantity_keys[];

/* A launch: a new client process with its own mount and connection. */
struct result_launch {
    unsigned server; /* number of the launch's server process, from 0 */
    uint64_t seed;
    const char *start; /* RFC 3339 */
    /* Bytes by which environment and heap were shifted, to vary the memory layout. */
    uint32_t environment, heap;
    /* number of the launch's rounds; the rounds of a merged result are in the launches' order */
    size_t rounds;
    bool cut_short;
    bool other_state; /* estimates leave it out: a bare echo shows another state of the machine */
    /* Times of the launch's rounds, of its process, and of starting its server. 0 if not known;
     * SERVER_START_NS also if the launch started no server. */
    uint64_t rounds_ns, process_ns, server_start_ns;
    int server_pid; /* process number of a server on this machine; 0 if not known */
    /* Processors of the busiest threads of client and server when the rounds ended; -1: unknown. */
    int client_cpu, server_cpu;
    struct core_speed speed;  /* speed of the client's core */
    struct validity validity; /* verdict on this launch alone */
    /* the ops; from a file, only calls, mean and p50 latencies and result_figure_of() are known */
    struct result_op *ops;
    size_t op_count;
};

struct result {
    /* Path of the file that the result was read from. If the result is one of two sides of the
     * file, the side follows the path: "today.json, first". */
    const char *path;
    struct result_tool tool;
    const char *const *command; /* words of the command line, beginning with the program's name */
    size_t command_count;
    const char *start; /* RFC 3339 */
    time_t started;    /* START as a time; 0 if not known */
    uint64_t seed;
    bool cut_short;           /* the run made fewer rounds or launches than planned */
    const char *cut_short_by; /* why the run was cut short, as one line; NULL if not known */
    struct result_host host;
    struct result_target target;
    struct result_config config;
    struct result_rounds rounds;
    struct result_clock clock;
    /* null and null_control, if measured; then each op, followed by its local op. A mix is followed
     * by its ops, then by its local op. Baselines other than null may be anywhere among the ops. */
    struct result_op *ops;
    size_t op_count;
    /* the series null and null_control in OPS; NULL if not measured */
    const struct result_op *null_calls, *null_control;
    struct result_skipped *skipped;
    size_t skipped_count;
    /* counters per call, over all series and rounds; in a file only those of the client process */
    double usage[COUNTERS];
    double client_cpu_share; /* processor time per elapsed time: 1 is one busy processor */
    const struct result_model *model;
    struct result_ledger ledger;
    /* The ranks whose results were merged; NULL if nfsbench, not nfsbench-mpi, measured. */
    const struct result_rank *ranks;
    size_t rank_count;
    /* The launches; at least one, but none if the file is from a version without launches. */
    struct result_launch *launches;
    size_t launch_count, launches_planned;
    struct result_stall *stalls; /* the stalls, by launch or rank, then as they were noted */
    size_t stall_count;
    uint64_t stalls_not_kept;
    /* Regimes, in the order of the launches. A regime consists of adjacent rounds with about the
     * same latency of the witness's echoes or, without a witness, of NULL. */
    struct regime *regimes;
    size_t regime_count; /* number of regimes; 0 if not known */
    struct validity validity;
    struct result_evidence evidence; /* evidence for the verdict; unknown numbers are NAN */
    /* Memory that the members point to, except what belongs to the session or to merged results. */
    struct arena arena;
};

/* Return the JSON word for TRANSPORT: "tcp" or "udp"; NULL if TRANSPORT is NULL. */
const char *result_proto(const char *transport);

/* Return the throughput of file data at OP's call rate, in 10^6 bytes per second; NAN if OP moves
 * no data or the rate is not known. */
double result_megabytes_per_s(const struct result_op *op);

/* Set OP's ENTRY_NS and ENTRIES_PER_S from its mean latency and call rate; NAN without entries. */
void result_set_entry_rates(struct result_op *op);

const struct result_op *result_find(const struct result *result, const char *name);

/* Return the rate that OP reached as a share of the requested rate of LOAD, an open loop. It is
 * arrivals_share_reached() or, if lower, arrivals_share_answered(); if ranks share LOAD, always
 * arrivals_share_reached(). */
double result_share_reached(const struct result_op *op, const struct load *load);

/* Suffix of the names of ops on local files: read is compared with "read-local". */
#define RESULT_LOCAL_END "-local"

/* Return the op on local files with which OP is compared; NULL if there is none. */
const struct result_op *result_local_of(const struct result *result, const struct result_op *op);

/* Return OP's estimate of QUANTITY; NAN if not known. For a round trip, OP must be a launch's. */
struct interval result_figure_of(const struct result_op *op, enum result_quantity quantity);

/* Find a part of OP's typical cost whose interval is below 0. No part of a cost can be negative, so
 * the cost model failed and all parts are unknown. Sets PART (may be NULL) to the interval. Returns
 * "bytes", "pause" or "server"; NULL if all parts are possible, or OP has no parts. */
const char *result_impossible_part(const struct result_op *op, struct interval *part);

/* Return whether the parts of OP's typical cost are known and possible. */
bool result_has_parts(const struct result_op *op);

/* Record in EVIDENCE the most negative part of a cost in RESULT, and the part's op. Ignores parts
 * within the noise and parts of costs that are not significant. */
void result_observe_model(const struct result *result, struct validity_evidence *evidence);

/* Add a reason to RESULT's verdict if the highest level of its regimes exceeds the lowest by the
 * share LEAST or more (regimes_extent()). */
void result_add_regime_reason(struct result *result, double least);

/* Return the noise floor of QUANTITY in ns, 0 if unknown: the largest distance from 0 of the null
 * control's interval (of p99: also of its estimate). The control has no parts: its mean cost is
 * used for RESULT_MEAN_SERVER_PART, its typical cost for other parts, round trips and echoes. */
double result_noise(const struct result *result, enum result_quantity quantity);

/* Add to RESULT, of one process or of merged ranks, its only launch, which has RESULT's ops. Sets
 * the ops' round trips. Returns 0 or -ENOMEM. */
int result_add_launch(struct result *result);

/* Return the scope in which RESULT's intervals are valid. */
enum launches_scope result_scope(const struct result *result);

const struct result_op *result_launch_find(const struct result_launch *launch, const char *name);

/* Return INTERVAL, an estimate from LAUNCH, in the form of measure/statistics/launches.h. */
struct launch result_launch_estimate(const struct result_launch *launch,
                                     const struct interval *interval);

/* Set other_state of each of the COUNT LAUNCHES: true if the launch's bare echo, of null's length,
 * differs from the median by the share VALIDITY_STATES_SUSPECT or more. It is false in all launches
 * if fewer than three echoes differ by less, or if a launch has no echo. */
void result_find_other_states(struct result_launch *const *launches, size_t count);

/* Write to LAUNCHES the estimate of OP's QUANTITY in each launch of RESULT that has one and is not
 * in other_state. LAUNCHES must have space for all launches. Returns the number of estimates
 * written. */
size_t result_launches_of(const struct result *result, const char *op,
                          enum result_quantity quantity, struct launch *launches);

/* Set TIMES to RESULT's mean times, each at least 1 us: of a round, of a launch outside its rounds,
 * and of starting a server. Returns false if the times of rounds and launches are not known. */
bool result_launch_times(const struct result *result, struct launches_times *times);

/* Return the plan of RESULT's ops that takes the longest time; NULL if no op has a plan. */
const struct result_plan *result_longest_plan(const struct result *result);

struct result_latency result_latency_of(const struct histogram *histogram);

void result_sort_gaps(struct result_op *op);

/* Return the median over the rounds of the trimmed means in OP's BLOCKS, ns; NAN without memory. */
double result_level(const struct result *result, const struct result_op *op);

/* Return the interface in ENTRY with the most packets; NULL if none has packets. */
const struct interface_counters *result_busiest_interface(const struct ledger_entry *entry);

/* Release what RESULT owns, and zero RESULT. RESULT may be zeroed already. */
void result_free(struct result *result);

/* Return whether LIST, names separated by "," or ", " (or NULL), contains OP. */
bool result_names_op(const char *list, const char *op);
