/* A run of 'nfsbench explain', from its plan to its result. Each round has blocks of the session's
 * series and of a method's series (struct explain_method). Nothing is printed here: the session's
 * observer gets the progress, and explain's views print the result. */
#pragma once

#include "explain/phases/prediction.h"
#include "explain/schedule.h"
#include "output/result/kind.h"
#include "run/outcome/outcome.h"
#include "run/session.h"

struct explain_plan {
    struct run_plan
        run; /* plan of the run; explain_run_measure() removes its warm-up if time is short */
    enum result_kind kind; /* RESULT_EXPLANATION, RESULT_EXPLANATIONS, RESULT_LADDER, RESULT_XDR or
                              RESULT_STATES */

    /* Members for RESULT_EXPLANATION; also for RESULT_EXPLANATIONS, except SLOWEST and PREDICTIONS,
     * which are for one op. PREDICTIONS are also for RESULT_STATES with one op. */
    uint32_t sample;            /* one call in SAMPLE has timestamps; 0: the default */
    size_t slowest;             /* number of slow calls to describe */
    bool no_server;             /* true: take no timestamps of the server */
    const char *server_command; /* command prefix for the server's machine, such as "ssh server";
                                   NULL: none */
    struct predictions predictions; /* predicted times of phases; may be empty */
    bool kprofile;                  /* RESULT_STATES: show kprofile's tables */

    /* RESULT_LADDER: address of the bare echo. Host "": an echo is started on this machine. */
    struct target echo;
};

/* Default precision of phases and states: the width (end to end) of a confidence interval, as a
 * share of the mean lifetime. The interval of the mean lifetime must become so narrow; if phases
 * are measured, the interval of each phase, too. At 0.04 the standard error is 1 %. */
#define EXPLAIN_PRECISION 0.04

/* Set the members of PLAN's RUN that PLAN's KIND needs. RUN's SERVER_COMMAND becomes NULL, so copy
 * it to PLAN's before. Returns what run_plan_complete() returns; 0 for a ladder or XDR. */
int explain_plan_complete(struct explain_plan *plan, struct error *error);

struct explain_run;

/* Mount, find the test objects, and prepare what the method needs. PLAN must outlive *RUN. Returns
 * 0, or a negative errno with ERROR set: -EOVERFLOW (ERROR_USAGE) if the time is too short. Close
 * *RUN in either case. */
int explain_run_open(struct explain_run **run, struct explain_plan *plan, struct error *error);

/* Measure until the deadline, or until the check that follows the first check at which is_precise()
 * was true. If the plan has a number of calls, each series makes this number of calls instead.
 * Returns 0, or a negative errno with ERROR set: -EINTR after Ctrl-C; -EOVERFLOW (ERROR_USAGE) if
 * the deadline leaves no time for the fewest rounds; or that of another error. */
int explain_run_measure(struct explain_run *run, struct error *error);

/* Set *RESULT to the result of the rounds so far. Its type follows from the plan's kind: struct
 * explanation, explanations, ladder_result, xdr_result or states_result. It is valid until RUN is
 * closed, and NULL if no round was completed. CUT_SHORT_BY is the reason why the run ended early,
 * or NULL. Returns 0, or a negative errno with ERROR set. */
int explain_run_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error);

/* Close RUN; NULL is allowed. */
void explain_run_close(struct explain_run *run);

/* The methods */

/* The state that all methods have: the first member of each method's own struct. */
struct explain_run {
    const struct explain_method *method;
    struct explain_plan *plan;
    struct schedule_times times; /* durations of the session's series; a method's open() adds its
                                    own series' durations */
    struct schedule schedule;    /* schedule; with a number of calls, only COMPARES (true) is set */
    struct deadline warm_until; /* the warm-up ends at this time even if latencies are not steady */
    /* time when the measured rounds began, on the deadline's clock; 0: they did not begin */
    uint64_t rounds_began_ns;
    bool narrow; /* is_precise() was true at an earlier check; the next check ends the rounds */
    struct session session;
    struct rounds rounds;     /* blocks of the session's series, then of the method's series */
    struct measured measured; /* measured data of the session's series or, if these were left out,
                                 of the method's */
    struct outcome outcome;   /* made from MEASURED */
};

struct explain_method {
    /* Size of the method's own struct, which starts with struct explain_run. The members after it
     * are zeroed before open(). */
    size_t size;
    /* true: MEASURED and OUTCOME are not made before result(), which does not use them */
    bool unjudged;
    shortest_round
        /* see explain_time_shortest_round */
        *shortest_round;
    /* Prepare what the blocks need, and add their times to RUN's TIMES. The session is open.
     * Returns 0, or a negative errno with ERROR set. */
    int (*open)(struct explain_run *run, struct error *error);
    /* Add the method's series to BESIDE. The member SOURCE makes the blocks of these series; its
     * context becomes RUN. */
    void (*add_series)(const struct explain_run *run, struct beside *beside);
    struct block_source source;
    bool (*is_precise)(const struct explain_run *run);
    /* Make the result after at least one round; see explain_run_result(). */
    int (*result)(struct explain_run *run, const char *cut_short_by, const void **result,
                  struct error *error);
    /* Release the method's own members. Also called if open() failed or was not called. */
    void (*close)(struct explain_run *run);
};

extern const struct explain_method explain_phases, explain_ladder, explain_xdr, explain_states;

/* Append a series with blocks of BLOCK calls to BESIDE. The appended series makes the calls of the
 * session's series number CALLS_OF, or no calls if CALLS_OF is EXTRA_WITHOUT_CALLS. */
void explain_add_series(struct beside *beside, size_t calls_of, uint32_t block);

/* Set EVIDENCE's members OP and WAITING from OP if EVIDENCE has no op yet, or if OP's calls wait
 * for a processor for a larger share of their lifetime. ROWS are OP's COUNT phases. */
void explain_observe_waiting(struct validity_phases *evidence, const char *op,
                             const struct phase_row *rows, size_t count);
/* Keep in EVIDENCE the largest absolute DISCREPANCY so far: the lifetime less the sum of the
 * phases, as a share of LIFETIME_NS. A difference of at most VALIDITY_READINGS_NS is ignored. */
void explain_observe_discrepancy(struct validity_phases *evidence, double discrepancy,
                                 double lifetime_ns);

/* Set COST to the confidence interval of the time per call in series WITH minus that in series
 * WITHOUT, from blocks paired by round. Returns false if there are fewer than 6 rounds, the
 * session's series were left out, or memory ran out. */
bool explain_run_difference(const struct explain_run *run, size_t without, size_t with,
                            struct interval *cost);

/* Return true if the confidence interval (Student's t) of the mean of the N VALUES, in ns, is as
 * narrow as PRECISION asks for, relative to WHOLE, the call's mean lifetime. False if N < 2. */
bool explain_mean_is_precise(const struct precision *precision, const double *values, size_t n,
                             double whole);

/* Note in RUN's times that, for each of the session's series, a second series makes the same calls
 * with observation: double the time of a round, and mark half of it as time that can be left out,
 * because the session's own series are needed only for the cost of observation. */
void explain_note_observed_series(struct explain_run *run);

/* Return the typical time of a call of series number SERIES, ns: the median of its blocks' trimmed
 * means. Unlike a mean, which includes rare slow calls, it can be compared with the cost of
 * observation. Returns NAN if the series was left out. */
double explain_run_typical(const struct explain_run *run, size_t series);

/* The time of a run (explain_time.c) */

/* The shortest round of a method whose rounds have only the ops' calls. Returns the time of this
 * round, ns, and sets *BLOCK to the fewest calls that explain_time_session() allows in a block. */
shortest_round explain_time_shortest_round;

/* Estimate how long the calls of RUN's session take, and set RUN's TIMES. Under load, trial blocks
 * may be run for this. The session is open. */
void explain_time_session(struct explain_run *run);

/* Make RUN's schedule, and set the session's block length and warm-up accordingly. If the plan has
 * a number of calls, there is no schedule. Notify the user if the schedule leaves something out, or
 * if the number of calls takes long. Returns 0, or -EOVERFLOW (ERROR_USAGE) or -ENOMEM with ERROR
 * set. */
int explain_time_schedule(struct explain_run *run, struct error *error);

/* Complete SOURCE, a copy of the method's source. Its context becomes RUN, and precision or time
 * ends the rounds. If SOURCE has no warm() of its own, steady latencies or time end the warm-up. */
void explain_time_source(struct explain_run *run, struct block_source *source);
