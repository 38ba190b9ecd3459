/* The plan of a measuring run, in typed values without option texts. Its creator (a command line, a
 * sweep, --versus) fills it in and checks it. */
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

/* The progress of a run. */
struct run_progress {
    const char *phase; /* "mounting"; NULL: the rounds of the members below */
    unsigned launch,
        launches;   /* the number of this launch, from 0, and of launches; 0: without launches */
    size_t round;   /* rounds done, of the warm-up or measured */
    size_t planned; /* planned rounds; 0: until the run is precise, or the time is over */
    uint64_t calls_per_round; /* of all series */
    uint64_t began_ns;        /* CLOCK_MONOTONIC_RAW; 0: still warming up */
    bool thinks;              /* calls wait for think times, and rounds are of any length */
    bool ended;
};

struct interval_report;

/* Receives a run's progress and messages, since run/ prints nothing. */
struct run_observer {
    void *context;
    void (*progress)(void *context, const struct run_progress *progress); /* between rounds */
    /* After each interval of the plan, with what was measured in it (run/intervals.h); NULL: not
     * wanted. */
    void (*interval)(void *context, const struct interval_report *report);
    void (*notice)(void *context, const char *line);  /* without a newline */
    void (*warning)(void *context, const char *line); /* shown even with --quiet */
};

/* An embedded server started for the plan. */
struct run_server {
    uint16_t port; /* 0: none */
    pid_t pid;
    int cpu; /* to which it is bound; -1: none */
};

/* The run's place among the launches of a measurement. */
struct run_launch {
    unsigned number, of;        /* NUMBER is from 0; OF is 0 if the run is the whole measurement */
    unsigned server;            /* the number of the server process, from 0 */
    uint32_t environment, heap; /* bytes by which its environment is padded and its heap shifted */
};

/* What shares the time that is left until the deadline. */
struct run_share {
    unsigned launches; /* with this one; 0: there is only this run */
    unsigned parts;    /* of each launch, of which the run is the first; 0: the run is the whole */
    bool fixed;        /* there must be so many launches */
    /* So many visits at a rate must have time afterwards, each of them for a set-up and for rounds
     * of PART_NS of the plan. */
    unsigned followed_by;
};

struct run_plan {
    /* What to measure. */
    const char *target_text; /* as the user wrote it, for messages */
    struct target target;
    bool through_mount; /* TARGET is to be the server of the first side's mount */
    bool mounts_flavor; /* and the flavor of the calls that of the mount's */
    char server_arguments[RUN_PLAN_SERVER_ARGUMENTS_SIZE]; /* of that of self:, as self_start() */
    struct run_server self_server;                         /* for self:, instead of starting one */
    const char *server_start; /* a command that starts the target's server; NULL: it runs */
    bool server_runs;         /* the command's server, which was started already */
    const struct nfs_procedure *ops[RUN_PLAN_OPS_MAXIMUM];
    bool from_group[RUN_PLAN_OPS_MAXIMUM]; /* named by a group or a mix: skipped if the server lacks
                                              it */
    size_t op_count;
    const char *mix_name; /* NULL: no mix; otherwise OPS are the mix's, in its order */
    struct nfs_mix mix;
    const char *file;     /* path below the target; NULL: the first file found */
    uint32_t read_size;   /* bytes in a READ or WRITE */
    uint64_t read_offset; /* where a READ starts, bytes */
    struct nfs_working_set working_set;
    bool verify; /* the data read, written and listed */
    bool strict; /* treat as errors what is otherwise tolerated: an op of a mix that the server
                    lacks, bytes after the end of a result */

    /* The scratch directory. */
    const char *scratch;     /* its name; NULL: choose one */
    uint32_t directory_size; /* minimum number of entries; 0: no minimum */
    uint32_t files;          /* number in the file set; 0: none */
    uint64_t file_size;      /* size of each, bytes; 0: see run_plan_file_size() */
    const char *tree; /* a directory below the target, whose files are used instead; NULL: none */
    bool keep_scratch;
    /* A directory of this machine, in which READ, WRITE and COMMIT are made without NFS, to compare
     * them with; NULL: none. */
    const char *baseline_directory;
    bool baseline_direct;        /* past the page cache */
    uint64_t cleanup_timeout_ns; /* for its removal and the unmounting; 0: the default */

    /* How calls are made. */
    const struct engine_type *engine;
    uint32_t mount_others;       /* processes beside the one whose calls on a mount are measured */
    struct load load_request;    /* 0: choose a number */
    enum load_contexts contexts; /* of it */
    struct load load;            /* determined by run_plan_settle() */
    struct identity identity;
    struct tls_request
        tls; /* what NFS's connections are protected with; its host is chosen later */
    const char *clock_name; /* for clock_open(); NULL: the best reliable clock */
    uint64_t timeout_ns;
    uint32_t retransmissions;
    uint32_t receive_window; /* of the client's TCP connections, in bytes; 0: the kernel's choice */
    bool spin;
    bool verify_in_time; /* ticks include the verification of replies protected by Kerberos */
    bool count_resent;   /* calls that were sent again leave samples, too */
    bool no_reserved_port;
    bool let_sleep; /* let idle processors sleep */
    /* To which this process, and so all threads and servers that it starts, is bound. */
    struct cpu_choice one_processor;

    /* How many calls, and in which order. */
    uint64_t calls; /* of each op; 0: until PRECISION is reached or MAXIMUM_NS have passed */
    struct precision precision;
    uint64_t began_ns; /* when the command began, on the clock of deadlines */
    /* Without a number of calls, the time of the whole command or, of launches that are spread over
     * a time, what they measure together; 0: no limit. */
    uint64_t maximum_ns;
    uint64_t over_ns;     /* that the launches are spread over; 0: they follow one another */
    uint64_t interval_ns; /* at which the observer gets what was measured; 0: never */
    uint32_t block;       /* calls in a block; 0: choose a number */
    uint64_t seed;
    bool no_warmup;
    struct run_launch launch;
    struct run_share share;
    uint64_t part_ns; /* its rounds are to take so long, if the least number of them does not take
                         longer; 0: as long as there is time */

    /* What to measure besides the ops. */
    bool no_baseline, no_model, no_ledger;
    const char *preset; /* of an experiment, for the claim on its file: which one; else NULL */
    bool only_sets_up;  /* it is not a run's: its ops are what a set-up prepares, and no result's */
    bool no_control;    /* another session in the same rounds has the null control */
    bool ops_optional;  /* ops that fail are left out, of this session alone and even all of them */
    uint32_t server_pid;        /* 0: find it by its port */
    const char *server_command; /* prefix of a command line on the server's machine; NULL: none */

    /* Observation and interruption. */
    const struct run_observer *observer; /* NULL: none */
    bool quiet;                          /* the observer gets only warnings */
    /* When the whole command must end: its set-up, all parts and launches, and what it writes; with
     * a number of calls only when a signal asks for it. */
    struct deadline deadline;
    bool no_hostname; /* don't record this machine's name */
    char **command;   /* the command line, to be recorded; NULL: none */
    size_t command_count;
};

/* The places of the plans of two sides that are measured together (--versus). */
enum { SIDE_FIRST, SIDE_SECOND, SIDES };

/* Set the members that follow from others, and refuse combinations that are impossible. Call it
 * again after changing a member. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int run_plan_settle(struct run_plan *plan, struct error *error);

/* Let the whole command of PLAN take MAXIMUM_NS at most, from its beginning; 0: no limit. */
void run_plan_set_time(struct run_plan *plan, uint64_t maximum_ns);

/* The size of each file of the file set, bytes: as requested, or a default multiple of READ_SIZE.
 */
uint64_t run_plan_file_size(const struct run_plan *plan);

/* Pass a line to the plan's observer, if there is one. Notices are dropped if QUIET is set. */
void run_plan_notice(const struct run_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void run_plan_warn(const struct run_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* About how long the rounds of the run may take, ns, before it is known what else takes time. */
double run_plan_rounds_ns(const struct run_plan *plan);

/* Has the user asked for the run to end? */
bool run_plan_is_stopped(const struct run_plan *plan);

/* Can the run go on without an op that was named, and not only by a group? Not with --strict; and
 * the ranks of a run must all have the same ops. */
bool run_plan_skips_named(const struct run_plan *plan);

/* Does one of the ops transfer data in the direction TRANSFER? */
bool run_plan_transfers(const struct run_plan *plan, enum nfs_transfer transfer);

/* The first op that is several calls; NULL: none is. */
const char *run_plan_sequence(const struct run_plan *plan);

/* Do the ops or other settings require a scratch directory? */
bool run_plan_needs_scratch(const struct run_plan *plan);

/* Is it a run under load, with more than one call at a time or calls at a rate? */
bool run_plan_makes_load(const struct run_plan *plan);
