/* What a measuring run is to do, in typed values: no option's text is in it. Whoever makes one (a
 * command line, a sweep, the second side of two) fills it in and has checked it. */
#ifndef NFSBENCH_RUN_PLAN_H
#define NFSBENCH_RUN_PLAN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/engine.h"
#include "measure/precision.h"
#include "nfs/mix.h"
#include "target/target.h"

enum { RUN_PLAN_OPS_MAXIMUM = 48, RUN_PLAN_SERVER_ARGUMENTS_MAXIMUM = 256 };

/* A load as it is asked for; 0 leaves a number to load_settle(). */
struct load_request {
    uint32_t clients, connections, depth, threads, batch;
    double rate; /* calls a second in all; 0: a closed loop */
    enum arrivals_kind arrival;
    uint16_t cpus[LOAD_CPUS_MAXIMUM]; /* to bind the threads to, in turn */
    unsigned cpu_count;
};

/* The load that REQUEST comes to with ENGINE; processors that are not asked for are those that a
 * run beside an embedded server (SELF) may use, or any. The seed and the ranks of LOAD stay. 0, or
 * -EINVAL with ERROR set (ERROR_USAGE). */
int load_settle(const struct load_request *request, const struct engine_type *engine, bool self,
                struct load *load, struct error *error);

/* How far a run is. */
struct run_progress {
    unsigned launch, launches; /* which this is, from 0, of how many; 0: of none */
    size_t round;              /* rounds done: of the warm-up, or of those that count */
    size_t planned;            /* of these; 0: until it is precise, or the time is over */
    uint64_t maximum_ns;       /* that time */
    uint64_t calls_per_round;  /* of all series */
    uint64_t began_ns;         /* CLOCK_MONOTONIC_RAW; 0: still warming up */
    bool ended;
};

/* Who is shown how a run goes on, since run/ prints nothing. */
struct run_observer {
    void *context;
    void (*progress)(void *context, const struct run_progress *progress); /* between rounds */
    void (*notice)(void *context, const char *line);                      /* without a newline */
    void (*warning)(void *context, const char *line); /* of what the user is to see in any case */
};

/* An embedded server that was started for the plan. */
struct run_server {
    uint16_t port; /* 0: none was */
    pid_t pid;
    int cpu; /* that it is bound to; -1: none */
};

/* Which launch of a measurement the run is. */
struct run_launch {
    unsigned number, of;        /* NUMBER from 0; OF 0: it is the whole measurement */
    unsigned server;            /* the number of the server process, from 0 */
    uint32_t environment, heap; /* bytes that its environment is padded, and its heap shifted by */
};

struct run_plan {
    /* What is measured. */
    const char *target_text; /* as the user wrote it, for messages */
    struct target target;
    /* What the embedded server of the target self: is started with, NULL-terminated. */
    const char *server_arguments[RUN_PLAN_SERVER_ARGUMENTS_MAXIMUM];
    struct run_server self_server; /* to be used for self: instead of one of the run's own */
    const struct nfs_procedure *ops[RUN_PLAN_OPS_MAXIMUM];
    bool from_group[RUN_PLAN_OPS_MAXIMUM]; /* named by a group or a mix: skipped where it can't be
                                              had */
    size_t op_count;
    const char *mix_name; /* NULL: none; else OPS are the mix's, in its order */
    struct nfs_mix mix;
    const char *file;     /* to be used, below the target; NULL: the first one found */
    uint32_t read_size;   /* bytes in a READ or WRITE */
    uint64_t read_offset; /* where a READ starts, bytes */
    bool verify;          /* what was read, written and listed */
    bool strict;          /* refuse what the run could do without: an op of a mix that the server
                             lacks, bytes after the end of a result */

    /* The scratch directory. */
    const char *scratch;     /* its name; NULL: to be chosen */
    uint32_t directory_size; /* entries in it, at least; 0: as many as there are */
    uint32_t files;          /* of the file set; 0: none */
    uint64_t file_size;      /* in each of them, bytes; 0: see run_plan_file_size() */
    bool keep_scratch;
    uint64_t cleanup_timeout_ns; /* for its removal and the unmounting; 0: the usual one */

    /* How calls are made. */
    const struct engine_type *engine;
    struct load_request load_request;
    struct load load; /* what that comes to: run_plan_settle() */
    struct identity identity;
    const char *clock_name; /* as clock_open() knows it; NULL: the best that can be trusted */
    uint64_t timeout_ns;
    uint32_t retransmissions;
    bool spin;
    bool no_reserved_port;
    bool let_sleep; /* idle processors may */

    /* How many, in which order. */
    uint64_t calls; /* of each op; 0: until PRECISION is reached, or MAXIMUM_NS have passed */
    struct precision precision;
    uint64_t maximum_ns;
    uint32_t block; /* calls in one; 0: to be chosen */
    uint64_t seed;
    bool no_warmup;
    struct run_launch launch;

    /* What is measured beside the ops. */
    bool no_baseline, no_model, no_ledger;
    uint32_t server_pid;        /* 0: to be found by its port */
    const char *server_command; /* prefix of a command line on the server's machine; NULL: none */

    /* Who sees it, and ends it. */
    const struct run_observer *observer; /* NULL: nobody */
    bool quiet;                          /* the observer has warnings only */
    const volatile sig_atomic_t *stop;   /* not 0: the user wants the run to end; NULL: never */
    char **command; /* the words that asked for it, to be recorded; NULL: none */
    size_t command_count;
};

/* Settle what follows from other members, and refuse what does not go together; to be called again
 * when one was changed. 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int run_plan_settle(struct run_plan *plan, struct error *error);

/* Bytes in each file of the file set: as asked for, or the multiple of READ_SIZE that is usual. */
uint64_t run_plan_file_size(const struct run_plan *plan);

/* Show the plan's observer a line, where it wants that. */
void run_plan_notice(const struct run_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void run_plan_warn(const struct run_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Does the user want the run to end? */
bool run_plan_is_stopped(const struct run_plan *plan);

/* Does one of the ops carry data as TRANSFER says? */
bool run_plan_transfers(const struct run_plan *plan, enum nfs_transfer transfer);

/* Do the ops, or what is asked of the scratch directory, take one? */
bool run_plan_needs_scratch(const struct run_plan *plan);

/* Is it a run under load: more than one call at a time, or calls at a rate? */
bool run_plan_makes_load(const struct run_plan *plan);

#endif
