/* One measuring run from mount to unmount: the parts that it has, in the order in which they come
 * to be, and what holds them together. Each part knows what it needs of those before it, and
 * functions take parts; a whole session is for who opens, measures and reports. */
#ifndef NFSBENCH_RUN_SESSION_H
#define NFSBENCH_RUN_SESSION_H

#include <time.h>

#include "common/cpu.h"
#include "measure/contention.h"
#include "measure/machine_log.h"
#include "measure/speed_probe.h"
#include "run/ledger_run.h"
#include "run/load_run.h"
#include "run/mix_run.h"
#include "run/ranks.h"
#include "run/series.h"

/* Why a run without a number of calls ended. */
enum measuring_end {
    MEASURING_END_COUNT, /* a run with one */
    MEASURING_END_PRECISION,
    MEASURING_END_TIME,
};

/* The rounds, and what is read around them. */
struct measuring {
    struct rounds rounds; /* of the session's series, by their index */
    struct clock_check clock_check;
    struct counters before, after; /* around the rounds that count */
    struct contention_place place; /* where others may be in the way */
    char client_cpus[CPU_LIST_SIZE], server_cpus[CPU_LIST_SIZE]; /* its lists */
    struct contention contention_before, contention_after;       /* around the same */
    struct speed_probe speed_probe;
    struct machine_log machine_log;
    uint64_t began_ns;                        /* CLOCK_MONOTONIC_RAW; 0: still warming up */
    double frequency_before, frequency_after; /* of the client's processor, Hz; 0: unknown */
    int client_cpu, server_cpu; /* where the calling thread and the server's busiest thread ran at
                                   the end; -1: not known */
    bool narrow;                /* all intervals were, at a look */
    enum measuring_end end;
    uint64_t calls_beside;        /* others' in the same rounds, within BEFORE and AFTER */
    size_t resampling_block;      /* at least so long are the bootstrap's blocks; usually 0 */
    struct run_progress progress; /* where these are the rounds that are shown */
    struct ranks *ranks;          /* that measure together with this process; NULL: none */
    double ranks_evenness; /* when they are merged: the slowest one's rate over the fastest's, of
                              the op where that is least; 0: alone */
};

/* Who looks at the blocks of one series: right before and after each that counts. */
struct block_watch {
    size_t series;
    void (*begins)(void *context);
    void (*ended)(void *context, size_t calls);
    void *context;
};

struct session {
    const struct run_plan *plan;
    const struct block_watch *watch; /* NULL: nobody; to be set before session_measure() */
    time_t started;
    struct clock clock;
    int awake; /* descriptor that keeps the processors awake; negative: they may sleep */
    struct setup setup;
    struct series_set set;
    struct mix_run mix;
    struct load_run load;
    struct measuring measuring;
    struct ledger_run ledger;
};

/* Start or find the server, mount, find the objects, make the scratch directory, try each op out.
 * 0, or a negative errno with ERROR set; session_close() is due in any case. */
int session_open(struct session *session, const struct run_plan *plan, struct error *error);

/* Give SESSION's blocks about BLOCK calls: as near to it as a mix's shares allow. 0 or -ENOMEM. */
int session_set_block(struct session *session, uint32_t block, struct error *error);

/* Measure. 0, or what ended it early (-EINTR for Ctrl-C), with ERROR set; the measuring's rounds
 * then hold what was measured until then. */
int session_measure(struct session *session, struct error *error);

/* Remove the scratch directory, unmount, and stop a server of our own. 0, or a negative errno with
 * ERROR set when the unmounting failed. */
int session_unmount(struct session *session, struct error *error);

/* Release everything; unmounts where that is still to be done. */
void session_close(struct session *session);

/* A session's part in rounds that have more series than its own */

/* Where SESSION's blocks come from; the series are its own, by their index. */
struct block_source session_blocks(struct session *session);

/* By series of SESSION: the calls in its BLOCKS, and whether it FOLLOWS the others (struct
 * rounds_plan). Returns the calls in a round. */
uint64_t session_shape(const struct session *session, uint32_t *blocks, bool *follows);

/* Have room for what SESSION keeps of the rounds beside them. 0, or a negative errno with ERROR
 * set. */
int session_rounds_begin(struct session *session, struct error *error);

/* Show SESSION its own of ROUNDS: those from series FIRST on. */
void session_rounds_show(struct session *session, const struct rounds *rounds, size_t first);

/* The plan's observer is to be shown how ROUNDS go on, which are those that SESSION's are among,
 * and which have CALLS in each. */
void session_rounds_observe(struct session *session, const struct rounds *rounds, uint64_t calls);

/* The rounds have ended with CODE, and SESSION has them: take the readings that belong to their
 * end. */
void session_rounds_end(struct session *session, int code);

#endif
