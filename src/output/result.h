/* A result: all that a run found out, as data. Filled in by cli/, written out by the formats here,
 * which know nothing else. Times are in ns unless a name says otherwise. */
#ifndef NFSBENCH_OUTPUT_RESULT_H
#define NFSBENCH_OUTPUT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "measure/above_null.h"
#include "measure/cost_model.h"
#include "measure/ledger.h"
#include "measure/load.h"
#include "measure/machine_log.h"
#include "measure/precision.h"
#include "measure/rounds.h"
#include "measure/timeline.h"
#include "measure/validity.h"

struct result_error {
    char name[32]; /* the protocol's: "NFS3ERR_STALE" */
    uint64_t count;
};

enum { RESULT_ERRORS_MAXIMUM = 8, RESULT_MIX_MAXIMUM = 32 };

/* What a run under load adds to an op. */
struct result_load {
    double in_flight;                  /* on average: the rate x the mean latency (Little's law) */
    double client_cpu_ns;              /* of the client's process, per call */
    double fairness;                   /* Jain's index over the clients' calls */
    const struct load_client *clients; /* config.clients of them */
    uint64_t least_calls, most_calls;  /* of a client */
    const struct histogram *service;   /* open loop, else NULL: from when calls were sent */
    const struct histogram *lateness;  /* likewise: of the sender */
    const struct timeline *timeline;
};

struct result_op {
    const char *op;
    const struct series *series;
    size_t baseline; /* index of the op that its cost is above: null, or mount-null for MOUNT's */
    struct result_error errors[RESULT_ERRORS_MAXIMUM];
    size_t error_kinds;
    uint64_t failed;            /* calls answered by an error */
    bool retransmissions_known; /* false: the engine's library doesn't tell */
    uint64_t retransmissions, reconnections, strays;
    struct cost_lengths lengths; /* of RPC messages with their record marks */
    char object[1200];           /* path of what it was applied to; "" for none */
    bool has_above_null;
    struct above_null above_null;
    bool has_split;
    bool beyond_model; /* its replies are longer than any that the model was made from */
    struct cost_split split;
    const struct ledger_entry *client, *server; /* per call; NULL: not counted */
    double rate_per_s; /* 0: not known, as of an op in a mix, whose calls come between others */
    bool has_load;
    struct result_load load;
};

/* An op of a group that this server, or this export, doesn't have. */
struct result_skipped {
    const char *op;
    char reason[160];
};

struct result_host {
    char kernel[80], machine[32], cpu[80], clocksource[32];
    unsigned cpus;
    bool virtual; /* the processor says that a hypervisor is below */
};

struct result_target {
    const char *text; /* as the user wrote it */
    const char *host, *export, *path;
    char address[64];
    const char *transport;
    uint16_t nfs_port, mount_port;
    char auth[24];
    char flavors[160];             /* that the server offered */
    uint64_t mount_ns, unmount_ns; /* unmount_ns is 0 where that failed */
};

struct result_config {
    const char *engine;
    const char *mix_name; /* NULL: no mix */
    struct {
        const char *op;
        uint32_t weight;
    } mix[RESULT_MIX_MAXIMUM];
    size_t mix_count;
    bool spin, verify, baseline;
    struct load load;
    uint64_t calls; /* asked for, of each op; 0: until precise, or the time was over */
    struct precision precision;
    uint64_t maximum_ns;
    bool precision_reached;
    uint32_t block;
    uint64_t timeout_ns;
    unsigned retransmissions;
    uint32_t read_size; /* 0: no READ in the run */
    uint64_t read_offset;
    bool awake; /* this machine's processors were kept from sleeping */
    char client_cpus[128];
    int server_cpu; /* of the embedded server; -1: unknown */
};

/* A rank's part in a run by several. */
enum { RESULT_RANK_OPS_MAXIMUM = 64 };

struct result_rank_op {
    uint64_t calls, timed, failed;
    double rate_per_s, mean, p50, p99;
};

struct result_rank_reason {
    char name[32]; /* as in struct validity_reason */
    enum verdict verdict;
    char text[200];
};

struct result_rank {
    char host[64];
    double client_cpu_share; /* of the elapsed time: 1 is one busy processor */
    enum verdict verdict;    /* of its part as a run of its own */
    struct result_rank_reason reasons[VALIDITY_REASONS_MAXIMUM];
    size_t reason_count;
    struct result_rank_op ops[RESULT_RANK_OPS_MAXIMUM]; /* by the result's */
};

struct result_ledger {
    bool done;
    uint64_t calls; /* of each op, in each of LEDGER_PASSES stretches */
    const struct ledger_entry *client_idle, *server_idle;
    int server_pid;             /* on this machine; 0: not known */
    const char *server_lacking; /* why there are no counters of the server; "" */
    const char *cut_short;      /* why there are none at all; "" */
};

struct result {
    char *const *command; /* the words of the command line, the program's own name aside */
    size_t command_count;
    char start[40]; /* RFC 3339 */
    time_t started; /* the same */
    uint64_t seed;
    bool cut_short;           /* fewer rounds than planned */
    const char *cut_short_by; /* the line that says why; NULL for none */
    struct result_host host;
    struct result_target target;
    struct result_config config;
    const struct clock *clock;
    double clock_ppm;     /* against CLOCK_MONOTONIC_RAW over the run */
    double clock_step_ns; /* the largest move against it between rounds */
    const struct rounds *rounds;
    struct result_op *ops;
    size_t op_count;
    struct result_skipped *skipped;
    size_t skipped_count;
    struct ledger_entry usage;    /* per call, over all timed rounds, any op; nothing taken off */
    double client_cpu_share;      /* of the elapsed time: 1 is one busy processor */
    double steal_share;           /* of all processors' time; NAN: unknown */
    struct resampling resampling; /* that all its estimates are by */
    bool has_model;
    struct cost_model model;
    struct cost_points_by points; /* that the model was made from */
    struct result_ledger ledger;
    const struct machine_log *machine_log;
    uint64_t began_ns;               /* measuring, CLOCK_MONOTONIC_RAW */
    const struct result_rank *ranks; /* that it was merged from; NULL: a run by one */
    size_t rank_count;
    struct validity validity;
};

#endif
