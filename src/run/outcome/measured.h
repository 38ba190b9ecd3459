/* What a run has measured, as plain data: handed over once, when measuring has ended, and written
 * by nobody afterwards. The analysis (outcome.h) knows nothing but this. */
#pragma once

#include "engine/channel/channel.h"
#include "measure/statistics/cost_model.h"
#include "output/result/result.h"
#include "run/ledger_run.h"
#include "run/load_run.h"
#include "run/mount_calls.h"
#include "run/readings.h"
#include "run/series/series.h"

struct session;

/* A series of a run. Without calls of its kind (on a mount, under load, of one op's counters) the
 * pointer to their data is NULL. */
struct measured_series {
    enum series_role role;
    const char *name;
    const char *object; /* path of what its calls are made on; NULL: they have none */
    const struct nfs_procedure *procedure;
    const struct measured_series *baseline; /* above which its cost is; NULL: none */
    const struct series *samples;           /* in the rounds */
    const struct engine_tally *tally;
    const struct load_series *load; /* also NULL for an op of a mix */
    const struct mount_counts *mounted;
    const struct ledger_entry *client, *server;
    const struct heat_map *map;      /* of latencies over time */
    struct cost_lengths lengths;     /* of a call, on the wire */
    struct nfs_call_lengths records; /* by how much TLS's records lengthen a call, bytes */
    double data_bytes;               /* bytes of files in a call */
    uint64_t places;                 /* in files that its calls go to; 0: no places */
    bool trailing;                   /* its trial's reply had bytes after its end */
    bool is_sequence;                /* each of its ops is several calls */
};

struct measured {
    const struct run_plan *plan;
    time_t started;
    const struct clock *clock;
    const struct rounds *rounds;
    uint64_t rounds_began_ns, setup_began_ns; /* CLOCK_MONOTONIC_RAW */
    bool has_witness;                         /* its series have values that mean something */
    bool is_shared;          /* other ranks or sessions made calls at the same time */
    uint64_t calls_beside;   /* of other series in the same rounds */
    double server_beside_ns; /* of processor time, in the rounds, of the other side's server */
    struct measured_series *series; /* those of the result's ops in their order, then the model's */
    size_t count;
    const struct series_skip *skipped; /* ops that were left out */
    size_t skipped_count;
    const struct readings *readings;
    size_t processors; /* that the readings watch; 0: unknown */
    const struct ledger_run *ledger;
    struct result_link links[COUNTERS_INTERFACES_MAXIMUM]; /* that the ledger saw, with a speed */
    size_t link_count;
    const struct stalls *stalls;
    const struct channel_trailing *trailing; /* of calls that are not measured */
    struct nfs_read_plan read;
    struct nfs_write_plan write;
    struct result_host host;
    struct result_target target;
    struct result_config config;
    const char *listings;     /* what is wrong with the listed directories; NULL: nothing */
    const char *mount_change; /* what changed about the mount; NULL: nothing, or no mount */
    bool shares_core;         /* client and server are each bound to a processor of one core */
    bool is_stopped;          /* by the user */
    struct arena arena;       /* of what has no other owner */
};

/* Take MEASURED from SESSION, which it points into and which must outlive it. Returns 0, or -ENOMEM
 * with ERROR set. Release it with measured_free() in either case. */
int measured_take(struct measured *measured, const struct session *session, struct error *error);
void measured_free(struct measured *measured);

/* The series of the op called OP; NULL: there is none. */
const struct measured_series *measured_find_op(const struct measured *measured, const char *op);

/* The number of calls of all series. */
uint64_t measured_calls(const struct measured *measured);
