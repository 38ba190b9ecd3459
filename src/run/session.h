/* One measuring run from mount to unmount, made of parts, in the order in which they are opened. A
 * part depends only on earlier ones, and functions take the parts that they need; only opening,
 * measuring and reporting take a whole session. */
#pragma once

#include <sched.h>
#include <time.h>

#include "run/intervals.h"
#include "run/ledger_run.h"
#include "run/load_run.h"
#include "run/mix_run.h"
#include "run/ranks.h"
#include "run/readings.h"
#include "run/series/series.h"
#include "run/setup/contexts_run.h"
#include "run/time_use.h"

/* Why a run without a number of calls ended. */
enum measuring_end {
    MEASURING_END_COUNT, /* all calls were made */
    MEASURING_END_PRECISION,
    MEASURING_END_TIME,
};

/* The rounds. */
struct measuring {
    struct rounds rounds; /* of the session's series, by their index */
    bool shares_rounds;   /* they are a part of others, which are released elsewhere */
    struct intervals intervals;
    uint64_t began_ns; /* CLOCK_MONOTONIC_RAW; 0: still warming up */
    bool narrow;       /* all intervals were narrow enough at the last look */
    bool is_watching;  /* of one schedule: a block's watch has begun */
    enum measuring_end end;
    /* Another session's calls in the same rounds, and its server's processor time. */
    uint64_t calls_beside;
    double server_beside_ns;
    struct run_progress progress; /* if the progress of these rounds is shown */
    struct ranks *ranks;          /* that measure together with this process; NULL: no others */
};

/* Functions to be called immediately before and after each measured block of one series. */
struct block_watch {
    size_t series;
    void (*begins)(void *context);
    void (*ended)(void *context, size_t calls);
    void *context;
    const struct block_watch *next; /* of another series; NULL after the last */
};

struct session {
    const struct run_plan *plan;
    const struct block_watch *watch; /* NULL: none; to be set before session_measure() */
    time_t started;
    uint64_t began_ns; /* on the clock of deadlines */
    struct clock clock;
    uint64_t calls; /* of each series in the rounds; 0: until there are enough */
    int awake;      /* descriptor that keeps the processors awake; negative: they may sleep */
    cpu_set_t unbound, cpus; /* where this thread may run: without a load, and in its blocks */
    struct setup setup;
    struct contexts_run contexts;
    struct series_set set;
    struct mix_run mix;
    struct load_run load;
    struct measuring measuring;
    struct readings readings;
    struct ledger_run ledger;
    struct time_use time;
};

/* Start or find the server, mount, find the test objects, make the scratch directory, and try each
 * op. Returns 0, or a negative errno with ERROR set; call session_close() in either case. */
int session_open(struct session *session, const struct run_plan *plan, struct error *error);

/* The same in two steps: start or find the server and mount; then do the rest. */
int session_reach(struct session *session, const struct run_plan *plan, struct error *error);
int session_prepare(struct session *session, struct error *error);

/* Is the time of a run without a number of calls over? */
bool session_is_time_over(const struct session *session);

/* Submit a block of COUNT calls of series INDEX, where one schedule runs through all blocks.
 * Returns 0 or -ENOMEM with ERROR set. */
int session_submit_block(struct session *session, size_t index, size_t count, struct error *error);

/* How many rounds are prepared together then; 0: none needs preparation. */
size_t session_rounds_ahead(const struct session *session);

/* Set the number of calls in SESSION's blocks to BLOCK, or as near to it as a mix's shares allow.
 * Returns 0 or -ENOMEM. */
int session_set_block(struct session *session, uint32_t block, struct error *error);

/* Plan the time of COUNT SESSIONS, which are set up (run/time_use.h): leave out series, shorten
 * blocks, and set what each of them does until when. Returns 0, or -EOVERFLOW with ERROR set
 * (ERROR_USAGE) if not even the least fits into the time. */
int sessions_plan_time(struct session *sessions, size_t count, struct error *error);

/* Say how long the run of SESSION is about to take, if it has a number of calls and that is long.
 */
void session_announce_time(const struct session *session);

/* Measure. Returns 0, or the error that ended it early (-EINTR for Ctrl-C), with ERROR set; the
 * rounds then have what was measured so far. */
int session_measure(struct session *session, struct error *error);

enum { BESIDE_MAXIMUM = 512 };

#define BESIDE_WITHOUT_CALLS SIZE_MAX

/* Series of something else in the rounds of a session, after its own. */
struct beside {
    size_t count;
    struct {
        size_t calls_of; /* the session's series whose calls it makes, which prepares and clears
                            them; BESIDE_WITHOUT_CALLS: none */
        uint32_t block;  /* calls in its blocks */
    } series[BESIDE_MAXIMUM];
    /* Of their blocks, numbered from 0. WARM and ENOUGH, unless they are NULL, decide instead of
     * the session. */
    struct block_source source;
};

/* The same for COUNT SESSIONS in the same ROUNDS, which are to be released after the sessions. The
 * first one's plan says how many rounds there are. An op that fails in a session is left out of
 * all, or of that one only if its plan says so (OPS_OPTIONAL); but not if there are series BESIDE
 * those of a session (NULL: none). *AT is the session whose block the rounds ended with; COUNT:
 * none's. */
int sessions_measure(struct session *sessions, size_t count, const struct beside *beside,
                     struct rounds *rounds, size_t *at, struct error *error);

/* Make a block of series INDEX of SESSION, as in struct block_source. */
int session_run_block(void *session, size_t index, struct block *block, struct error *error);

/* What session NUMBER is called beside others: A, B, and AA after Z. */
struct session_letters {
    char text[4];
};
static inline struct session_letters session_letters(size_t number)
{
    const char last = (char)('A' + number % 26);

    return number < 26 ? (struct session_letters){{last}}
                       : (struct session_letters){{(char)('A' + number / 26 - 1), last}};
}

/* Remove the scratch directory, unmount, and stop an embedded server. Returns 0, or a negative
 * errno with ERROR set if unmounting failed. */
int session_unmount(struct session *session, struct error *error);

/* Unmount if that has not been done, and release everything. */
void session_close(struct session *session);

/* A session's part in rounds that have more series than its own */

/* The source of the blocks of the session that is its context, whose series are numbered from 0. */
extern const struct block_source session_blocks;

/* Set BLOCKS and FOLLOWS (see struct rounds_plan) for each of SESSION's series. Returns the number
 * of calls in a round. */
uint64_t session_block_sizes(const struct session *session, uint32_t *blocks, bool *follows);

/* Give SESSION access to its part of ROUNDS, the series from FIRST on. */
void session_set_rounds(struct session *session, const struct rounds *rounds, size_t first);

/* Report the progress of ROUNDS, which include SESSION's, to the plan's observer. CALLS is the
 * number of calls in each round. */
void session_rounds_observe(struct session *session, const struct rounds *rounds, uint64_t calls);

/* Tell the plan's observer that SESSION has come to PHASE. */
void session_enter(const struct session *session, const char *phase);

/* Take the readings at the end of the rounds, which ended with CODE. */
void session_rounds_end(struct session *session, int code);

/* The calls of all series in the rounds. */
uint64_t session_calls(const struct session *session);
