/* The measurements of a run, as plain data. They are taken once when measuring has ended, and are
 * never changed. The analysis (outcome.h) uses nothing else. */
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

/* A series of a run. A pointer is NULL if the series has no such data. */
struct measured_series {
    enum series_role role;
    const char *name;
    const char *object; /* path of the object of the series' calls; NULL: none */
    const struct nfs_procedure *procedure;
    /* series whose level is subtracted from this series' level to obtain the cost; NULL: none */
    const struct measured_series *baseline;
    const struct series *samples; /* samples of the series in the rounds */
    const struct engine_tally *tally;
    /* measurements under load; NULL without load, and for an op of a mix */
    const struct load_series *load;
    const struct mount_counts *mounted;
    const struct ledger_entry *client, *server;
    const struct heat_map *map;      /* latencies over time */
    struct cost_lengths lengths;     /* lengths of a call and its reply, without TLS records */
    struct nfs_call_lengths records; /* bytes that TLS adds to call and reply; 0 if IS_SEQUENCE */
    double data_bytes;               /* bytes of file data in a call */
    uint64_t places;                 /* number of places in files that the calls access; 0: none */
    bool trailing;                   /* the reply to the trial call had bytes after its result */
    bool is_sequence; /* each op of the series consists of several calls (engine/sequence.h) */
};

struct measured {
    const struct run_plan *plan;
    time_t started;
    const struct clock *clock;
    const struct rounds *rounds;
    uint64_t rounds_began_ns,
        setup_began_ns;   /* start of the measured rounds and of the set-up, CLOCK_MONOTONIC_RAW */
    bool has_witness;     /* the run has a witness, whose samples are valid */
    bool is_shared;       /* other ranks, sessions or extra series made calls at the same time */
    uint64_t other_calls; /* number of other sessions' and series' calls in the same rounds */
    double other_servers_ns; /* processor time of other sessions' servers in the rounds, ns */
    /* the result's ops in their order, then series that only explain them */
    struct measured_series *series;
    size_t count;
    const struct series_skip *skipped;
    size_t skipped_count;
    const struct readings *readings;
    size_t processors; /* number of processors that the readings watch; 0: unknown */
    const struct ledger_run *ledger;
    /* network links of the ledger whose speed is known */
    struct result_link links[COUNTERS_INTERFACES_MAXIMUM];
    size_t link_count;
    const struct stalls *stalls;
    /* trailing bytes in replies to calls that are not measured */
    const struct channel_trailing *trailing;
    struct nfs_read_plan read;
    struct nfs_write_plan write;
    struct result_host host;
    struct result_target target;
    struct result_config config;
    const char *listings;     /* contradictions in the listed directories; NULL: none */
    const char *mount_change; /* change of the mount (run/mount_calls.h); NULL: none */
    bool shares_core;         /* client and server are bound to processors of the same core */
    bool is_stopped;          /* the user stopped the run */
    struct arena arena;
};

/* Set MEASURED to the measured data of SESSION. SESSION must outlive MEASURED, which points into
 * it. Returns 0, or -ENOMEM with ERROR set. Call measured_free() in either case. */
int measured_take(struct measured *measured, const struct session *session, struct error *error);
void measured_free(struct measured *measured);

const struct measured_series *measured_find_op(const struct measured *measured, const char *op);

uint64_t measured_calls(const struct measured *measured);
