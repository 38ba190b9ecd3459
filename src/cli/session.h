/* One measuring run from mount to unmount: everything that it holds, in the order in which it comes
 * to be. */
#ifndef NFSBENCH_CLI_SESSION_H
#define NFSBENCH_CLI_SESSION_H

#include <time.h>

#include "cli/ledger_run.h"
#include "cli/load_run.h"
#include "cli/mix_run.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/settings.h"
#include "measure/cost_model.h"
#include "measure/machine_log.h"
#include "measure/rounds.h"
#include "nfs/call.h"
#include "nfs/subject.h"
#include "target/mount.h"
#include "target/self.h"

enum {
    SESSION_SERIES_MAXIMUM = SETTINGS_OPS_MAXIMUM + 2 + 2 * COST_MODEL_POINTS_MAXIMUM,
    SESSION_SKIP_REASON_SIZE = 160,
};

/* An op of a group that can't be measured here. */
struct session_skip {
    const char *op;
    char reason[SESSION_SKIP_REASON_SIZE];
};

enum series_role {
    SERIES_NULL,
    SERIES_CONTROL,
    SERIES_MIX, /* the calls of all ops that follow it, which are its own */
    SERIES_OP,
    SERIES_CALL_LENGTH,  /* of the cost model: null calls of chosen length */
    SERIES_REPLY_LENGTH, /* likewise: READs with replies of chosen length */
    SERIES_PAUSE,        /* likewise: null calls with a pause before each */
};

/* The RPC services that calls go to, each over connections of its own. */
enum service_kind { SERVICE_NFS, SERVICE_MOUNT, SERVICE_PORTMAP, SERVICES };

/* A series: its name in results, its call, what happened to it. */
struct session_series {
    enum series_role role;
    const char *name;
    enum service_kind service;
    size_t turn;     /* calls made so far, where they are spread over a file set */
    size_t baseline; /* index of the series that its cost is above: null, or the service's own */
    struct nfs_call call;
    struct engine_tally tally;
    double rate_per_s;               /* of several ranks together; 0: what the tally tells */
    struct identity own_identity;    /* where the call is not made as the others are */
    struct nfs_subject *own_subject; /* where its object is; else NULL */
};

/* Why a run without a number of calls ended. */
enum session_end {
    SESSION_END_COUNT, /* a run with one */
    SESSION_END_PRECISION,
    SESSION_END_TIME,
};

struct session {
    const struct settings *settings;
    time_t started;
    struct target target; /* with self: made good */
    struct clock clock;
    struct clock_check clock_check;
    int awake; /* descriptor that keeps the processors awake; negative: they may sleep */
    struct self_server self;
    struct mount mount;
    bool mounted;
    bool healthy;                         /* the server has answered so far */
    struct rpc_client *clients[SERVICES]; /* for single calls; but NFS's, only where needed */
    struct nfs_subject subject;
    struct session_series series[SESSION_SERIES_MAXIMUM]; /* null, null_control, ops, model */
    size_t series_count;
    struct session_skip skipped[SETTINGS_OPS_MAXIMUM];
    size_t skipped_count;
    struct engine *engines[SERVICES]; /* of the services that series call */
    uint32_t block;                   /* calls in a block */
    struct mix_run mix;
    struct load_run load;
    struct rounds rounds;
    struct counters before, after; /* around the rounds that count */
    struct machine_log machine_log;
    struct ledger_run ledger;
    uint64_t began_ns;                        /* measuring, CLOCK_MONOTONIC_RAW */
    double frequency_before, frequency_after; /* of the client's processor, Hz; 0: unknown */
    bool narrow;                              /* all intervals were, at a look */
    uint64_t calls_beside;   /* another session's in the same rounds, within BEFORE and AFTER */
    size_t resampling_block; /* at least so long are the bootstrap's blocks; usually 0 */
    enum session_end end;
    struct progress progress;
    struct ranks *ranks;   /* that measure together with this one; NULL: none */
    double ranks_evenness; /* when they are merged: the slowest one's rate over the fastest's, of
                              the op where that is least; 0: alone */
};

/* How a connection for calls that SETTINGS ask for behaves. */
struct channel_options session_channel_options(const struct settings *settings);

/* Start or find the server, mount, find the objects, make the scratch directory, try each op out.
 * 0, or a negative errno with ERROR set; session_close() is due in any case. */
int session_open(struct session *session, const struct settings *settings, struct error *error);

/* Measure. 0, or what ended it early (-EINTR for Ctrl-C), with ERROR set; session->rounds then
 * holds what was measured until then. */
int session_measure(struct session *session, struct error *error);

/* Remove the scratch directory, unmount, and stop a server of our own. 0, or a negative errno with
 * ERROR set when the unmounting failed. A server that did not answer before is given a second at
 * most. */
int session_unmount(struct session *session, struct error *error);

/* Release everything; unmounts where that is still to be done. */
void session_close(struct session *session);

#endif
