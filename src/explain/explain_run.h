/* A run of 'nfsbench explain', from its plan to its result. Its rounds have blocks of a session's
 * ops, and blocks of what a method compares them with. Nothing is printed here: the session's
 * observer gets the progress, and explain's forms the result. */
#pragma once

#include "explain/prediction.h"
#include "output/kind.h"
#include "run/outcome.h"

/* The address of a bare echo. */
struct echo_address {
    char host[TARGET_HOST_SIZE]; /* "": unknown */
    char port[8];
};

struct explain_plan {
    struct run_plan run;   /* of the session */
    enum result_kind kind; /* RESULT_EXPLANATION, RESULT_EXPLANATIONS, RESULT_LADDER, RESULT_XDR or
                              RESULT_STATES */

    /* Of an explanation. */
    uint32_t sample;            /* one of so many calls has timestamps; 0: the default */
    size_t slowest;             /* number of slow calls to describe */
    bool no_server;             /* the client's phases only */
    const char *server_command; /* prefix of a command line on the server's machine; NULL: none */
    struct predictions predictions; /* empty: none */

    /* Of a ladder: the echo. Unknown: one is started on the server's machine. */
    struct echo_address echo;
};

/* Set the members that follow from KIND. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int explain_plan_settle(struct explain_plan *plan, struct error *error);

struct explain_run;

/* Mount, find the test objects, and prepare what the method needs. PLAN must outlive the run.
 * Returns 0, or a negative errno with ERROR set; close *RUN in either case. */
int explain_run_open(struct explain_run **run, const struct explain_plan *plan,
                     struct error *error);

/* Measure. Returns 0, or the error that ended it early (-EINTR for Ctrl-C), with ERROR set. */
int explain_run_measure(struct explain_run *run, struct error *error);

/* As session_unmount(). */
int explain_run_unmount(struct explain_run *run, struct error *error);

/* Set *RESULT to what was measured so far, of the plan's kind: a struct explanation, explanations,
 * ladder_result, xdr_result or states_result, which refers to RUN; or to NULL if no round was
 * completed. CUT_SHORT_BY is the reason why the run ended early, or NULL. Returns 0, or a negative
 * errno with ERROR set. */
int explain_run_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error);

/* Release everything; NULL is allowed. */
void explain_run_close(struct explain_run *run);

/* The methods */

enum {
    EXPLAIN_SERIES_MAXIMUM = 512, /* in the rounds of a method */
};

#define EXPLAIN_BESIDE SIZE_MAX /* a series without calls of the session */

/* The first member of each method's own struct. */
struct explain_run {
    const struct explain_method *method;
    const struct explain_plan *plan;
    struct session session;
    struct block_source calls; /* the session's own blocks */
    struct rounds rounds;      /* the method's */
    struct outcome outcome;    /* of the session's series, if they are in the rounds */
    bool beside_failed;        /* the rounds were ended by something other than the server */
};

struct explain_method {
    /* Of its own struct, which is zeroed, except for its first member, before open(). */
    size_t size;
    /* The rounds begin with the session's series, which are judged as a run of their own before
     * result(). What follows is about the series after them, numbered from 0. */
    bool has_session;
    /* Prepare what the blocks need; the session is open. Returns 0, or a negative errno with ERROR
     * set. */
    int (*open)(struct explain_run *run, struct error *error);
    /* Add series to the *SERIES in the rounds: BLOCKS and FOLLOWS of each (struct rounds_plan;
     * FOLLOWS is false initially), which are those of all series. Returns the number of calls that
     * they have in a round. */
    uint64_t (*shape)(const struct explain_run *run, size_t *series, uint32_t *blocks,
                      bool *follows);
    /* The session's series whose calls SERIES makes; EXPLAIN_BESIDE: none. NULL: none has any. */
    size_t (*calls_of)(const struct explain_run *run, size_t series);
    int (*run_block)(struct explain_run *run, size_t series, struct block *block,
                     struct error *error);
    /* As in struct block_source, with the run as context. */
    bool (*warm)(void *context, bool steady);
    bool (*enough)(void *context, size_t round); /* NULL: the session's own */
    /* The warm-up is over. May be NULL. */
    void (*begins)(struct explain_run *run);
    /* As explain_run_result(), after at least one round. */
    int (*result)(struct explain_run *run, const char *cut_short_by, const void **result,
                  struct error *error);
    /* Release the method's own members, also after open() failed. */
    void (*close)(struct explain_run *run);
};

extern const struct explain_method explain_phases, explain_ladder, explain_xdr, explain_states;

/* Set COST to the paired difference between the blocks of two series in each of RUN's rounds.
 * Returns false if there are too few rounds for an interval. */
bool explain_run_difference(const struct explain_run *run, size_t without, size_t with,
                            struct interval *cost);
