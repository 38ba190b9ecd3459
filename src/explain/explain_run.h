/* A run of 'nfsbench explain', from its plan to its result. Its rounds have blocks of a session's
 * ops, and blocks of what a method compares them with. Nothing is printed here: the session's
 * observer gets the progress, and explain's forms the result. */
#pragma once

#include "explain/phases/prediction.h"
#include "explain/schedule.h"
#include "output/result/kind.h"
#include "run/outcome/outcome.h"
#include "run/session.h"

struct explain_plan {
    struct run_plan run; /* of the session; explain_run_measure() leaves out the warm-up if the time
                            is short */
    enum result_kind kind; /* RESULT_EXPLANATION, RESULT_EXPLANATIONS, RESULT_LADDER, RESULT_XDR or
                              RESULT_STATES */

    /* Of an explanation. */
    uint32_t sample;            /* one of so many calls has timestamps; 0: the default */
    size_t slowest;             /* number of slow calls to describe */
    bool no_server;             /* the client's phases only */
    const char *server_command; /* prefix of a command line on the server's machine; NULL: none */
    struct predictions predictions; /* empty: none */
    bool kprofile;                  /* of states: kprofile's tables, too */

    /* Of a ladder: the echo. Without a host: one is started on the server's machine. */
    struct target echo;
};

/* How narrow the intervals of phases and states have to be unless the user says otherwise: as a
 * share of a call's whole lifetime, so that the standard error of each part is 1 % of it. */
#define EXPLAIN_PRECISION 0.04

/* Set the members that follow from KIND. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int explain_plan_settle(struct explain_plan *plan, struct error *error);

struct explain_run;

/* Mount, find the test objects, and prepare what the method needs. PLAN must outlive the run.
 * Returns 0, or a negative errno with ERROR set; close *RUN in either case. */
int explain_run_open(struct explain_run **run, struct explain_plan *plan, struct error *error);

/* Measure until each part is known as well as the plan's precision asks for, or until its deadline;
 * with a number of calls, until they are made. Returns 0, or what ended it early, with ERROR set:
 * -EINTR for Ctrl-C, or -EOVERFLOW (ERROR_USAGE) if there is no time for the fewest calls. */
int explain_run_measure(struct explain_run *run, struct error *error);

/* Set *RESULT to what was measured so far, of the plan's kind: a struct explanation, explanations,
 * ladder_result, xdr_result or states_result, which refers to RUN; or to NULL if no round was
 * completed. CUT_SHORT_BY is the reason why the run ended early, or NULL. Returns 0, or a negative
 * errno with ERROR set. */
int explain_run_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error);

/* Release everything; NULL is allowed. */
void explain_run_close(struct explain_run *run);

/* The methods */

/* The first member of each method's own struct. */
struct explain_run {
    const struct explain_method *method;
    struct explain_plan *plan;
    struct schedule_times times; /* with the session's series; a method's open() adds its own */
    struct schedule schedule;    /* without a number of calls */
    struct deadline warm_until;  /* when the warm-up ends even if the levels are not steady */
    uint64_t rounds_began_ns;    /* on the deadline's clock; 0: before the first measured round */
    bool narrow;                 /* all parts were known well enough at the last look */
    struct session session;
    struct rounds rounds;     /* of the session's series, then of the method's */
    struct measured measured; /* by the session's series */
    struct outcome outcome;   /* of that */
};

struct explain_method {
    /* Of its own struct, which is zeroed, except for its first member, before open(). */
    size_t size;
    bool unjudged; /* the session's series are not judged as a run of their own before result() */
    shortest_round *shortest_round; /* of all that can't be left out of a round */
    /* Prepare what the blocks need, and add their times to those of the session's, which is open.
     * Returns 0, or a negative errno with ERROR set. */
    int (*open)(struct explain_run *run, struct error *error);
    /* Add the method's series, of which SOURCE makes the blocks, with the run as context. */
    void (*add_series)(const struct explain_run *run, struct beside *beside);
    struct block_source source;
    /* Is each part known as well as the plan's precision asks for? */
    bool (*is_precise)(const struct explain_run *run);
    /* As explain_run_result(), after at least one round. */
    int (*result)(struct explain_run *run, const char *cut_short_by, const void **result,
                  struct error *error);
    /* Release the method's own members, also after open() failed. */
    void (*close)(struct explain_run *run);
};

extern const struct explain_method explain_phases, explain_ladder, explain_xdr, explain_states;

/* Add a series of BLOCK calls to BESIDE, which makes those of the session's series CALLS_OF. */
void explain_add_series(struct beside *beside, size_t calls_of, uint32_t block);

/* Add to what an explanation is judged by: the share of OP's lifetime, whose parts are ROWS, in
 * which a processor was waited for, the largest of all ops; and the largest DISCREPANCY. */
void explain_observe_waiting(struct validity_phases *evidence, const char *op,
                             const struct phase_row *rows, size_t count);
void explain_observe_discrepancy(struct validity_phases *evidence, double discrepancy,
                                 double lifetime_ns);

/* Set COST to the paired difference between the blocks of two series in each of RUN's rounds.
 * Returns false if there are too few rounds for an interval. */
bool explain_run_difference(const struct explain_run *run, size_t without, size_t with,
                            struct interval *cost);

/* Is the mean of the N VALUES of a part, ns, known as well as PRECISION asks for, relative to the
 * WHOLE call? By Student's t. */
bool explain_mean_is_precise(const struct precision *precision, const double *values, size_t n,
                             double whole);

/* Every series of the session has another one with the same calls, which are observed; the
 * session's own show only what observing a call costs. */
void explain_compares(struct explain_run *run);

/* What a call of one of RUN's series takes, ns: the median of its blocks, so that what is added to
 * it is of the same kind. The mean has rare slow calls, which few series have alike. NAN: the
 * series was left out. */
double explain_run_typical(const struct explain_run *run, size_t series);

/* The time of a run (explain_time.c) */

/* How long the shortest round takes at least whose calls are those of the ops alone. Under load its
 * blocks are as long as those of explain_time_session() at least. */
shortest_round explain_time_shortest_round;

/* Note what the calls of RUN's session take, which is open. */
void explain_time_session(struct explain_run *run);

/* Make RUN's schedule, set the session's blocks and warm-up by it, and say what is left out; with a
 * number of calls say how long they take. Returns 0, or -EOVERFLOW (ERROR_USAGE) or -ENOMEM with
 * ERROR set. */
int explain_time_schedule(struct explain_run *run, struct error *error);

/* Have SOURCE, the method's, end the warm-up and the rounds by RUN's schedule. */
void explain_time_source(struct explain_run *run, struct block_source *source);
