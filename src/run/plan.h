/* The plan of a measuring run: it has typed values, not the texts of options. The creator of a plan
 * sets its members and calls run_plan_complete(). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/cpu.h"
#include "common/deadline.h"
#include "engine/channel/tls_client.h"
#include "engine/engine.h"
#include "measure/statistics/precision.h"
#include "nfs/mix.h"
#include "target/target.h"

enum { RUN_PLAN_OPS_MAXIMUM = 48, RUN_PLAN_SERVER_ARGUMENTS_SIZE = 1024 };

enum load_contexts { LOAD_CONTEXTS_CLIENT, LOAD_CONTEXTS_SHARED };

struct run_progress {
    const char *phase; /* name of the phase, such as "mounting"; NULL: the rounds are being made,
                          and all other members are set */
    /* number of this launch, from 0; number of launches (0: the run has no launches) */
    unsigned launch, launches;
    size_t round;   /* number of complete rounds: of the warm-up or, if BEGAN_NS is set, measured */
    size_t planned; /* planned number of rounds; 0 if there is no number of calls */
    uint64_t calls_per_round; /* calls of all series and sessions in a round */
    uint64_t began_ns; /* start of the measured rounds, CLOCK_MONOTONIC_RAW; 0 during the warm-up */
    bool thinks;       /* calls wait for think times, so that rounds differ in duration */
    bool ended;
};

struct interval_report;

/* Receives a run's progress and messages, since run/ prints nothing. */
struct run_observer {
    void *context;
    /* Called, if not QUIET, when a phase begins, after each round, and when the rounds end. */
    void (*progress)(void *context, const struct run_progress *progress);
    /* Called after a measured round if INTERVAL_NS have passed, and after the last one, unless the
     * interval had no calls. NULL: no reports. */
    void (*interval)(void *context, const struct interval_report *report);
    void (*notice)(void *context, const char *line); /* LINE has no newline */
    /* LINE has no newline; shown even with --quiet */
    void (*warning)(void *context, const char *line);
};

struct run_server {
    uint16_t port; /* 0: no server was started */
    pid_t pid;
    int cpu; /* processor that the server is bound to; -1: none */
};

/* The position of the run among the launches, processes that share a measurement. */
struct run_launch {
    /* number of this launch, from 0; number of launches (0: the run has no launches) */
    unsigned number, of;
    unsigned server; /* number of the server process, from 0 */
    /* bytes that pad the environment and that shift the heap, because both affect timing */
    uint32_t environment, heap;
};

/* The launches and runs that share the time until the deadline. */
struct run_share {
    unsigned launches; /* number of launches that are left, including this one; 0: no launches */
    /* number of runs that are left in each launch, including this run; 0: only this run */
    unsigned parts;
    bool fixed; /* the number of launches must not be reduced */
    /* Number of later runs at a rate. Each needs time to set up and end, and the plan's PART_NS. */
    unsigned followed_by;
};

struct run_plan {
    /* What to measure */
    const char *target_text; /* TARGET as the user wrote it, for messages */
    struct target target;
    bool through_mount; /* TARGET is to be replaced by the server of the first side's mount */
    bool mounts_flavor; /* calls use the security flavor of the first side's mount */
    /* arguments of self_start(), for the target `self:` */
    char server_arguments[RUN_PLAN_SERVER_ARGUMENTS_SIZE];
    struct run_server self_server; /* running server for the target `self:`; PORT 0: start one */
    const char *server_start;      /* command that starts the target's server; NULL: none */
    bool server_runs;              /* the server of SERVER_START was already started */
    const struct nfs_procedure *ops[RUN_PLAN_OPS_MAXIMUM];
    bool from_group[RUN_PLAN_OPS_MAXIMUM]; /* the op comes from a group of ops or a mix: skip it if
                                              the server, export or engine lacks it */
    size_t op_count;
    const char *mix_name; /* name of the mix, with the ops OPS in the same order; NULL: no mix */
    struct nfs_mix mix;
    const char *file;     /* path below the target; NULL: the first file found */
    uint32_t read_size;   /* bytes that a READ or WRITE requests */
    uint64_t read_offset; /* offset of a READ, bytes */
    struct nfs_working_set working_set;
    bool verify; /* data that are read, and changes that were acknowledged, are verified */
    /* fail, not continue without the op, if an op fails, or if the server lacks an op that the user
     * named individually or an op of the mix; also fail if bytes follow the result in a reply */
    bool strict;

    /* The scratch directory */
    const char *scratch;     /* name of the scratch directory; NULL: choose a name */
    uint32_t directory_size; /* minimum number of entries in the scratch directory, without
                              * the file set; 0: no minimum */
    uint32_t files;          /* number of files in the file set; 0: no file set */
    uint64_t file_size;      /* size of each file, bytes; 0: see run_plan_file_size() */
    const char *tree; /* directory below the target; its files replace the file set; NULL: none */
    bool keep_scratch;
    /* local directory for READs, WRITEs and COMMITs without NFS, to compare; NULL: none */
    const char *baseline_directory;
    bool baseline_direct;        /* local files bypass the page cache (O_DIRECT) */
    uint64_t cleanup_timeout_ns; /* time limit for clean-up and unmounting; 0: the default */

    /* How calls are made */
    const struct engine_type *engine;
    uint32_t mount_others;    /* number of unmeasured processes that also make calls on the mount */
    struct load load_request; /* load as requested; run_plan_complete() chooses each of CLIENTS,
                                 CONNECTIONS, DEPTH, BATCH and THREADS that is 0 */
    enum load_contexts contexts; /* whether a thread's clients share a security context */
    struct load load;            /* set by run_plan_complete(), except SEED and RANKS */
    struct identity identity;
    struct tls_request tls; /* TLS of connections to the NFS service; the set-up sets HOST */
    const char *clock_name; /* name for clock_open(); NULL: the best reliable clock */
    uint64_t timeout_ns;
    uint32_t retransmissions;
    uint32_t receive_window; /* receive window of TCP connections, bytes; 0: the kernel chooses */
    bool spin;
    bool verify_in_time; /* latencies include verifying replies that Kerberos protects */
    bool count_resent;   /* the latencies of retransmitted calls are recorded, too */
    bool no_reserved_port;
    bool let_sleep;
    /* processor that this process, its threads, and the servers that it starts are bound to */
    struct cpu_choice one_processor;

    /* How many calls, and in which order */
    /* calls of each op; 0: the run ends when it reaches PRECISION or its time limit */
    uint64_t calls;
    struct precision precision;
    uint64_t began_ns; /* start of the command, on the clock of deadlines */
    /* used if CALLS is 0: time limit of the command or, if OVER_NS is set, of all launches in
     * total; 0: no limit */
    uint64_t maximum_ns;
    uint64_t over_ns;     /* time over which the launches are spread; 0: there are no pauses */
    uint64_t interval_ns; /* time between two reports to the observer; 0: no reports */
    uint32_t block;       /* calls in a block; 0: the run chooses the number */
    uint64_t seed;
    bool no_warmup;
    struct run_launch launch;
    struct run_share share;
    /* maximum duration of warm-up, rounds and ledger in total, unless the least number of rounds
     * takes longer; 0: this run's share of the time */
    uint64_t part_ns;

    /* What to measure besides the ops */
    bool no_baseline, no_model, no_ledger;
    const char *preset; /* name of the experiment's preset, to be recorded; NULL: none */
    bool only_sets_up;  /* the set-up prepares what OPS need; nothing is measured */
    bool no_control;    /* no null control, such as if another session in the same rounds has it */
    /* a missing or failed op is left out of this session only, which goes on even without ops */
    bool ops_optional;
    uint32_t server_pid;        /* process id of the server; 0: find the process by its port */
    const char *server_command; /* prefix that runs a command on the server's machine, such as "ssh
                                   server"; NULL: none */

    /* Observation and interruption */
    const struct run_observer *observer; /* NULL: no observer */
    bool quiet; /* the observer gets warnings and interval reports, but no notices or progress */
    /* time when the command or, in a launch, the launch must have ended, with all output. If CALLS
     * is set, only a search has such a time; other runs end early only after a signal. */
    struct deadline deadline;
    bool no_hostname;
    char **command; /* command line to be recorded; NULL: none */
    size_t command_count;
};

/* Indices of the two plans that --versus measures together. */
enum { SIDE_FIRST, SIDE_SECOND, SIDES };

/* Set PLAN's members that depend on others, and refuse impossible combinations. Call this again
 * after a change. Returns 0, or -EINVAL or -EMFILE with ERROR set (ERROR_USAGE). */
int run_plan_complete(struct run_plan *plan, struct error *error);

/* Set PLAN's MAXIMUM_NS. If it is 0, the deadline has no time limit. Otherwise the deadline is
 * OVER_NS after the command's start or, if OVER_NS is 0, MAXIMUM_NS after it. */
void run_plan_set_time(struct run_plan *plan, uint64_t maximum_ns);

/* Return the size of each file of the file set, bytes: the requested size or, without one, the
 * largest multiple of READ_SIZE up to 64 KiB; READ_SIZE if it exceeds 64 KiB. */
uint64_t run_plan_file_size(const struct run_plan *plan);

/* Pass one formatted line to PLAN's observer, if there is one: run_plan_notice() only if the plan
 * is not QUIET, run_plan_warn() in any case. */
void run_plan_notice(const struct run_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void run_plan_warn(const struct run_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Return an estimate of the duration of PLAN's rounds, ns: PART_NS if it is set. Otherwise, if
 * there is a deadline, this run's share of the time until then, which includes set-ups. Otherwise
 * MAXIMUM_NS. */
double run_plan_rounds_ns(const struct run_plan *plan);

/* Has a signal requested the end of the run? */
bool run_plan_is_stopped(const struct run_plan *plan);

/* Can the run continue without an op that the user named individually, not by a group? False with
 * --strict, and with several ranks, because all ranks must have the same ops. */
bool run_plan_skips_named(const struct run_plan *plan);

bool run_plan_transfers(const struct run_plan *plan, enum nfs_transfer transfer);

/* Return the name of the first op of PLAN that consists of several calls, or NULL. */
const char *run_plan_sequence(const struct run_plan *plan);

bool run_plan_needs_scratch(const struct run_plan *plan);

/* Does PLAN have several calls in flight, a rate, think times, or ranks? */
bool run_plan_makes_load(const struct run_plan *plan);
