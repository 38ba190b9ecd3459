/* A measurement: all that a run found out, as data. A run fills it in (run/outcome/outcome.h), or
 * it is read from a file that was written by --json (output/result/result_json.h); whatever shows
 * or compares results reads this and nothing else. Times are in ns unless a name says otherwise;
 * texts that are not known are NULL, numbers NAN. */
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

/* An op of a group that this server, or this export, doesn't have. */
struct result_skipped {
    const char *op, *reason;
};

struct result_tool {
    const char *name, *version, *build;
};

struct result_host {
    const char *name; /* NULL: not recorded */
    const char *kernel, *machine, *cpu, *clocksource;
    unsigned cpus;
    bool virtual;  /* the processor says that a hypervisor is below */
    double tsc_hz; /* NAN where another clock timed the run */
    double steal;  /* share of all processors' time */
};

/* Security contexts that were established and ended for themselves: medians, in ns. */
struct result_contexts {
    uint64_t made;
    struct interval creation, init, destroy;
    struct interval continued; /* NAN where none needed that */
};

/* Beginnings of TLS that were made for themselves: medians, in ns. A handshake is full, or resumes
 * an earlier session. */
struct result_handshakes {
    uint64_t full, resumed; /* how many of each */
    struct interval probe;
    struct interval full_ns, resumed_ns; /* NAN where there were none */
    uint64_t run_connections,
        run_resumed; /* of the run itself; how many of them resumed a session */
};

struct result_target {
    const char *text; /* as the user wrote it */
    const char *host, *export, *path, *address;
    const char *transport; /* "TCP", "UDP" */
    uint16_t nfs_port, mount_port;
    const char *auth, *flavors;             /* FLAVORS: that the server offered */
    uint64_t mount_ns, unmount_ns;          /* UNMOUNT_NS is 0 where that failed */
    const struct result_contexts *contexts; /* NULL: calls need none */
    const char *xprtsec;                    /* "tls", "mtls"; NULL: none */
    const char *tls; /* version, cipher, and whether the kernel encrypts; NULL: there is none */
    const struct result_handshakes *handshakes; /* NULL: there were none */
    const char *mount_point,
        *mount_options; /* of the kernel's NFS client; NULL: it made no calls */
};

struct result_mix_op {
    const char *op;
    uint32_t weight;
};

/* In the name of a mix, between its own and the ops that the server lacks. */
#define RESULT_MIX_LESS " less "

struct result_mix {
    const char *name;
    struct result_mix_op ops[RESULT_MIX_MAXIMUM];
    size_t count;
};

/* The files that were there already, and what was met on the way to them. */
struct result_tree {
    const char *path;
    uint64_t files, bytes, symlinks, directories, others;
    uint64_t vanished, denied, loops;
    uint64_t calls, elapsed_ns; /* that finding them took */
    bool cut;                   /* there are more, beyond the working set or a bound */
};

/* The directory of this machine that ops are compared with. */
struct result_baseline_directory {
    const char *path, *file_system; /* "ext4"; NULL: not known */
    uint64_t bytes;                 /* of all files that were made in it */
    bool direct;                    /* they were read and written past the page cache */
    double cached_share; /* of these bytes that the page cache held at the end; NAN: not known */
};

/* What a measurement gave up because its time was short (measure/time_plan.h). */
struct result_given_up {
    unsigned launches, launches_usual; /* of the measurement */
    uint32_t block, block_usual;       /* calls in a block */
    bool warmup;                       /* most of it */
    bool model, control, ledger;       /* all of these */
    double usual_seconds; /* the time in which nothing needs to be given up; 0: nothing was */
};

struct result_config {
    const char *engine;
    const struct result_mix *mix; /* NULL: none */
    bool spin, verify, baseline;
    bool count_resent;  /* calls that were sent again have a latency */
    bool check_in_time; /* latencies include the verification of protected replies */
    struct load load;   /* without its seed, and the processors that it is bound to */
    uint64_t calls;     /* asked for, of each op; 0: until precise, or the time was over */
    struct precision precision;
    uint64_t maximum_ns;
    uint64_t over_ns; /* that the launches were spread over; 0: they followed one another */
    struct result_given_up given_up;
    bool precision_reached;
    uint32_t block; /* calls in a block */
    uint64_t timeout_ns;
    unsigned retransmissions;
    uint32_t receive_window; /* of the client's TCP connections, in bytes; 0: the kernel's choice */
    uint32_t read_size;      /* 0: no READ in the run */
    uint64_t read_offset;
    uint32_t write_size;            /* 0: no WRITE in the run, or not known */
    uint32_t files, directory_size; /* of the file set and the scratch directory; 0: as they are */
    uint64_t file_size;             /* in each of these files */
    const struct result_tree *tree; /* whose files are used instead; NULL: none */
    const char *pattern;            /* as --pattern has it; NULL: not known */
    bool cold;                      /* each place was visited once at most */
    uint64_t working_set_bytes, working_set_files;              /* its bounds; 0: none */
    const struct result_baseline_directory *baseline_directory; /* NULL: none */
    bool awake; /* this machine's processors were kept from sleeping */
    const char *client_cpus;
    int server_cpu;                  /* of the embedded server; -1: not known */
    struct cpu_choice one_processor; /* of client and server; OF is 0: they are not bound to one */
};

struct result_rounds {
    size_t done, planned, warmup;
    bool steady; /* the warm-up ended because the level was */
};

struct result_clock {
    const char *name;
    double ns_per_tick, cost_ns;
    double disagreement_ppm; /* against CLOCK_MONOTONIC_RAW over the run */
    double largest_step_ns;  /* by which the two moved against each other between rounds */
    uint64_t cost_log2[CLOCK_COST_LOG2]; /* empty windows, by powers of two ns */
};

/* A cost per byte, packet or ns of pause. */
struct result_rate {
    bool known;
    struct interval ns;
};

/* A series that the model was made from. */
struct result_point {
    const char *op;
    double call, reply, reply_packets, pause_ns;
    uint64_t calls;
    double p50;
};

struct result_model {
    struct result_rate call, reply, packet, pause;
    double call_misfit_ns, reply_misfit_ns,
        pause_misfit_ns; /* of a length from the line, at worst */
    struct result_point *points;
    size_t point_count;
};

struct result_link {
    char name[16];
    double bits_per_s;
};

struct result_ledger {
    bool counted;
    uint64_t passes, calls; /* CALLS of each op in each of PASSES stretches */
    const struct ledger_entry *client_idle, *server_idle;
    int server_pid;             /* on this machine; 0: not known */
    const char *server_missing; /* why there are no counters of the server */
    const char *cut_short_by;   /* why counting failed */
    struct result_link links[COUNTERS_INTERFACES_MAXIMUM]; /* that have a speed */
    size_t link_count;
};

/* A rank's part in a run by several. */
struct result_rank {
    const char *host;         /* "?": not recorded */
    double client_cpu_share;  /* of the elapsed time: 1 is one busy processor */
    struct validity validity; /* of its part as a run of its own */
    struct result_op *ops;    /* by the result's: their calls, failures, rates and latencies */
    size_t op_count;
};

/* A time in which the server gave no answer (engine/stalls.h). */
struct result_stall {
    double at_s, length_s; /* AT_S: since the run began, with the mount */
    uint64_t calls;        /* that waited */
    const char *series;    /* "null_control"; or the procedure of a call that is in no series */
    unsigned launch;       /* that it belongs to, where several launches measured */
};

enum { RESULT_STALLS_MAXIMUM = 1 << 16 };

/* What the verdict looked at, of what others on the machine do; as in struct validity_evidence. */
struct result_evidence {
    double client_waited, server_waited, others, core_shared, mean_over_median, outlier_share;
    /* Beside the verdict: the change of null's level since an earlier result of this host, with the
     * same target and settings, and when that was measured. */
    double null_change;        /* a share; NAN: there is none */
    const char *earlier_start; /* RFC 3339 */
};

/* What is estimated of an op in each launch. */
enum result_quantity {
    RESULT_ROUND_TRIP,
    RESULT_COST,
    RESULT_MEAN_COST,
    RESULT_P99_COST,
    RESULT_SERVER_PART,      /* of the typical cost */
    RESULT_MEAN_SERVER_PART, /* the mean cost less its parts for bytes and pause */
    RESULT_BYTES_PART,       /* of either cost */
    RESULT_ECHO,             /* a bare echo of as many bytes */
    RESULT_QUANTITIES
};

/* Their keys, "round_trip", "above_null", "mean_above_null", "p99_above_null", "server_part",
 * "mean_server_part", "bytes_part" and "echo"; ends with NULL. */
extern const char *const result_quantity_keys[];

/* A fresh client process with a mount and a connection of its own. */
struct result_launch {
    unsigned server; /* the number of its server process, from 0 */
    uint64_t seed;
    const char *start;          /* RFC 3339 */
    uint32_t environment, heap; /* bytes that its environment was padded, and its heap shifted by */
    size_t rounds;              /* of the result's, which are in the launches' order */
    bool cut_short;
    /* The machine was in another state than in most launches, as a bare echo shows: estimates are
     * of the others. */
    bool other_state;
    /* How long its rounds took, its whole process, and starting its server before it, if that was
     * started for it; 0: not known. */
    uint64_t rounds_ns, process_ns, server_start_ns;
    int server_pid;             /* on this machine; 0: not known */
    int client_cpu, server_cpu; /* where the client's and the server's busiest thread ran when the
                                   rounds ended; -1: not known */
    struct core_speed speed;    /* of the client's core */
    struct validity validity;   /* of it alone */
    struct result_op *ops;      /* in a file: their calls, latencies, costs and round trips */
    size_t op_count;
};

struct result {
    const char *path; /* of the file that it was read from */
    struct result_tool tool;
    const char *const *command; /* the words of the command line, the program's name first */
    size_t command_count;
    const char *start; /* RFC 3339 */
    time_t started;    /* the same; 0: not known */
    uint64_t seed;
    bool cut_short;           /* fewer rounds than planned */
    const char *cut_short_by; /* the line that says why */
    struct result_host host;
    struct result_target target;
    struct result_config config;
    struct result_rounds rounds;
    struct result_clock clock;
    struct result_op *ops; /* null, null_control, then the others in the order asked for */
    size_t op_count;
    const struct result_op *null_calls, *null_control; /* of OPS; NULL without a baseline */
    struct result_skipped *skipped;
    size_t skipped_count;
    double usage[COUNTERS];  /* of the client per call, over all timed rounds, any op */
    double client_cpu_share; /* of the elapsed time: 1 is one busy processor */
    const struct result_model *model;
    struct result_ledger ledger;
    const struct result_rank *ranks; /* that it was merged from; NULL: a run by one */
    size_t rank_count;
    /* That it is made of, at least one; none in a file from before there were launches. */
    struct result_launch *launches;
    size_t launch_count, launches_planned;
    struct result_stall *stalls; /* in the order of their times, launch by launch */
    size_t stall_count;
    uint64_t stalls_not_kept;
    /* The rounds by the level of the witness, or of NULL without a witness, launch by launch. */
    struct regime *regimes;
    size_t regime_count; /* 0: not known */
    struct validity validity;
    struct result_evidence evidence; /* NAN where not known */
    struct arena arena; /* what is pointed to above, but for what a run's session has */
};

/* A transport for programs: "tcp", "udp"; NULL for NULL. */
const char *result_proto(const char *transport);

/* The rate of file data that goes with OP's rate of calls, 10^6 bytes per second; NAN if it moves
 * none, or that is not known. */
double result_megabytes_per_s(const struct result_op *op);

/* Set OP's time of an entry, and its rate of entries, from its time and rate. */
void result_fill_entries(struct result_op *op);

/* The op called NAME, or NULL. */
const struct result_op *result_find(const struct result *result, const char *name);

/* The share of the rate of LOAD, an open loop, that OP reached: of the calls that were sent, in the
 * most favourable case, but not more than can have been answered, unless several ranks share LOAD
 * (measure/arrivals.h). */
double result_share_reached(const struct result_op *op, const struct load *load);

/* What ends the name of an op on local files: "read-local" is what read is compared with. */
#define RESULT_LOCAL_END "-local"

/* The local op that OP is compared with, or NULL. */
const struct result_op *result_local_of(const struct result *result, const struct result_op *op);

/* OP's figure of QUANTITY; its round trip is known in one launch alone. The estimate is NAN if it
 * is not known. */
struct interval result_figure_of(const struct result_op *op, enum result_quantity quantity);

/* The part of OP's typical cost that is below 0 beyond its interval, as no part of a cost can be:
 * the model by which the cost was split has failed, and none of its parts is known. PART (NULL: not
 * wanted) is set to its value. Returns "bytes", "pause" or "server"; NULL: the parts are possible,
 * or there are none. */
const char *result_failed_part(const struct result_op *op, struct interval *part);

/* Are the parts of OP's typical cost known? */
bool result_has_parts(const struct result_op *op);

/* Set in EVIDENCE the op of RESULT whose parts are impossible, where that is clearest. */
void result_observe_model(const struct result *result, struct validity_evidence *evidence);

/* Add a reason to RESULT's verdict if the levels of its regimes differ by LEAST or more, as a
 * share of the lowest. */
void result_doubt_regimes(struct result *result, double least);

/* How far the null control's figure of QUANTITY reaches from 0, ns: what is no larger may be noise.
 * 0 without a baseline. The control's typical cost stands for the parts of an op's typical cost,
 * and its mean cost for the server's part in the mean. */
double result_noise(const struct result *result, enum result_quantity quantity);

/* Describe RESULT, of one process, as the only launch of itself, in its arena. 0 or -ENOMEM. */
int result_add_launch(struct result *result);

/* What RESULT's intervals speak of. */
enum launches_scope result_scope(const struct result *result);

/* The op called NAME in LAUNCH; NULL: it has none. */
const struct result_op *result_launch_find(const struct result_launch *launch, const char *name);

/* LAUNCH with INTERVAL, an estimate of it, as measure/statistics/launches.h takes it. */
struct launch result_launch_estimate(const struct result_launch *launch,
                                     const struct interval *interval);

/* Note which of COUNT LAUNCHES were in another state of the machine. With fewer than three in one
 * state, or without a bare echo, none were. */
void result_note_states(struct result_launch *const *launches, size_t count);

/* OP's estimates of QUANTITY by launch, as measure/statistics/launches.h takes them, with LAUNCHES
 * of RESULT's room. Launches that don't have it, or were in another state, are left out. Returns
 * their number. */
size_t result_launches_of(const struct result *result, const char *op,
                          enum result_quantity quantity, struct launch *launches);

/* How long a repetition of each level takes, by RESULT's launches. False where these don't say so.
 */
bool result_launch_times(const struct result *result, struct launches_times *times);

/* Of the plans of RESULT's ops, the one that takes longest; NULL for none. */
const struct result_plan *result_longest_plan(const struct result *result);

/* The figures of HISTOGRAM. */
struct result_latency result_latency_of(const struct histogram *histogram);

/* Sort OP's gaps, the longest first. */
void result_sort_gaps(struct result_op *op);

/* The median over the rounds of OP's blocks, ns; NAN without memory. */
double result_level(const struct result *result, const struct result_op *op);

/* Of ENTRY's interfaces the one that carried most packets; NULL for none. */
const struct interface_counters *result_busiest_interface(const struct ledger_entry *entry);

/* Release it; a zeroed one may be released, too. */
void result_free(struct result *result);

/* Is OP one of LIST, names with commas between? NULL names none. */
bool result_names_op(const char *list, const char *op);
