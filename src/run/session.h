/* A session: one measuring run from mount to unmount. */
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

enum measuring_end {
    MEASURING_END_COUNT, /* all calls were made, or the rounds have not ended yet */
    MEASURING_END_PRECISION,
    MEASURING_END_TIME,
};

struct measuring {
    struct rounds rounds; /* rounds of this session's series, with SET's indices */
    bool shares_rounds;   /* ROUNDS belong to the caller of sessions_measure(), who releases them */
    struct intervals intervals;
    uint64_t began_ns; /* start of the measured rounds, CLOCK_MONOTONIC_RAW; 0 during the warm-up */
    bool narrow;       /* all confidence intervals were narrow enough at an earlier check */
    bool is_watching;  /* with one schedule for all blocks: the current block's watch has begun */
    enum measuring_end end;
    /* number of calls of other sessions and additional series in the same rounds; processor time
     * that the other sessions' servers, if not also this session's, used during the rounds, ns */
    uint64_t other_calls;
    double other_servers_ns;
    struct run_progress progress; /* set in the session that reports the progress of the rounds */
    struct ranks *ranks;          /* the ranks, if this process is one of several; otherwise NULL */
};

/* A watch: functions to call directly before and after each measured block of one series; ended()
 * is not called after a failed block. Only the first watch of a series in the list is used. With
 * one schedule for all blocks, begins() is called when the block is first asked for. */
struct block_watch {
    size_t series;
    void (*begins)(void *context);
    void (*ended)(void *context, size_t calls);
    void *context;
    const struct block_watch *next; /* next watch in the list; NULL: none */
};

struct session {
    const struct run_plan *plan;
    const struct block_watch *watch; /* list of watches, set before session_measure(); NULL: none */
    time_t started;
    uint64_t began_ns; /* start of the session, on the clock of deadlines */
    struct clock clock;
    /* number of calls of each op; 0: the rounds continue until precision or time ends them */
    uint64_t calls;
    int awake; /* descriptor that keeps processors from idle states; negative: none */
    /* processors that this thread could use. UNBOUND: when the set-up had ended. CPUS: when the
     * engines had been opened; this thread is bound to CPUS before this session's blocks. */
    cpu_set_t unbound, cpus;
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
 * op. Returns 0, or a negative errno with ERROR set. Call session_close() in either case. */
int session_open(struct session *session, const struct run_plan *plan, struct error *error);

/* Do the work of session_open() in two steps: session_reach() starts or finds the server and
 * mounts; session_prepare() does everything else. */
int session_reach(struct session *session, const struct run_plan *plan, struct error *error);
int session_prepare(struct session *session, struct error *error);

/* Have SESSION's measured rounds reached their end time? False in warm-up or without a deadline. */
bool session_is_time_over(const struct session *session);

/* Submit a block of COUNT calls of series INDEX. Call this only if one schedule runs through all
 * blocks. Returns 0, or -ENOMEM with ERROR set. */
int session_submit_block(struct session *session, size_t index, size_t count, struct error *error);

/* Return the number of rounds that are prepared together if one schedule runs through all blocks.
 * 0: no round needs preparation. */
size_t session_rounds_ahead(const struct session *session);

/* Set the number of calls in SESSION's blocks to BLOCK, or for a mix to slightly more, so that each
 * op has a call. Returns 0, or -ENOMEM with ERROR set. */
int session_set_block(struct session *session, uint32_t block, struct error *error);

/* Plan the time (run/time_use.h) of the COUNT SESSIONS, which are open: leave out series and
 * ledgers, shorten blocks, and set the ends of warm-up and rounds. Returns 0, or with ERROR set
 * -ENOMEM, or -EOVERFLOW (ERROR_USAGE) if the time is too short for the least number of rounds. */
int sessions_plan_time(struct session *sessions, size_t count, struct error *error);

/* In the first launch, if there is no deadline and the calls and ledgers (struct time_use,
 * CALLS_NS) will take 10 s or more, send a notice of their expected duration. */
void session_announce_time(const struct session *session);

/* Measure SESSION. Returns 0 or, with ERROR set, the error that ended the rounds early (-EINTR
 * after Ctrl-C) or that --verify found afterwards. The complete rounds can be used even then. */
int session_measure(struct session *session, struct error *error);

enum { EXTRA_SERIES_MAXIMUM = 512 };

#define EXTRA_WITHOUT_CALLS SIZE_MAX

/* Additional series in the rounds of sessions, after the sessions' own series. */
struct beside {
    size_t count;
    struct {
        /* index, among the sessions' series, of the series that prepares and clears the calls;
         * EXTRA_WITHOUT_CALLS: none */
        size_t calls_of;
        uint32_t block; /* calls in each block */
    } series[EXTRA_SERIES_MAXIMUM];
    /* run() makes the blocks of the additional series, numbered from 0; warm() and enough(), if not
     * NULL, replace the sessions' decisions; measuring_begins() may be NULL; the rest is unused */
    struct block_source source;
};

/* Measure COUNT SESSIONS in the same ROUNDS, which the caller releases after the sessions. If the
 * first session has a number of calls, the rounds end after these calls or, with a time limit, once
 * all sessions' time is over. Without a number of calls, they end once all sessions have enough. An
 * op that fails in one session is left out of all sessions or, if the session's plan has
 * OPS_OPTIONAL, of that session only. BESIDE may be NULL; with it, no op is left out, no ledger
 * counted, and no mix completed. *AT becomes the index of the last block's session, or COUNT if the
 * block had none. Returns what session_measure() returns. */
int sessions_measure(struct session *sessions, size_t count, const struct beside *beside,
                     struct rounds *rounds, size_t *at, struct error *error);

/* Make a block of series INDEX of SESSION, as run() of struct block_source does. */
int session_run_block(void *session, size_t index, struct block *block, struct error *error);

/* The letters that name a session in messages: A to Z, then AA, AB and so on. */
struct session_letters {
    char text[4];
};
static inline struct session_letters session_letters(size_t number)
{
    const char last = (char)('A' + number % 26);

    return number < 26 ? (struct session_letters){{last}}
                       : (struct session_letters){{(char)('A' + number / 26 - 1), last}};
}

/* Remove SESSION's scratch directory, unmount, and stop the server that SESSION started. Returns 0,
 * or a negative errno with ERROR set if unmounting failed. */
int session_unmount(struct session *session, struct error *error);

void session_close(struct session *session);

/* The source of a session's blocks. CONTEXT is the session, whose series are numbered from 0. */
extern const struct block_source session_blocks;

/* Set an element of BLOCKS and FOLLOWS (struct rounds_plan) for each of SESSION's series. Returns
 * the number of SESSION's calls per round. */
uint64_t session_block_sizes(const struct session *session, uint32_t *blocks, bool *follows);

/* Give SESSION access to its own series in ROUNDS, which start at index FIRST. */
void session_set_rounds(struct session *session, const struct rounds *rounds, size_t first);

/* Have SESSION report the progress of ROUNDS, with CALLS calls each, to its plan's observer. */
void session_rounds_observe(struct session *session, const struct rounds *rounds, uint64_t calls);

/* Report to the plan's observer that SESSION has reached PHASE. */
void session_enter(const struct session *session, const char *phase);

/* Take SESSION's last readings, and send its last reports, after rounds that ended with CODE. */
void session_rounds_end(struct session *session, int code);

uint64_t session_calls(const struct session *session);

/* Return the index of the first of SESSIONS that measures the same server as session number AT. */
size_t sessions_first_of_server(const struct session *sessions, size_t at);
