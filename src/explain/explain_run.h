/* A run of 'nfsbench explain', from a typed plan to its result: the rounds of a session, in which
 * calls of its ops stand beside what a method compares them with. Nothing is printed here: the
 * session's observer is shown how it goes on, and the result is for explain's forms. */
#ifndef NFSBENCH_EXPLAIN_EXPLAIN_RUN_H
#define NFSBENCH_EXPLAIN_EXPLAIN_RUN_H

#include "explain/prediction.h"
#include "output/kind.h"
#include "run/session.h"

/* Where a bare echo is. */
struct echo_address {
    char host[TARGET_HOST_SIZE]; /* "": nowhere yet */
    char port[8];
};

struct explain_plan {
    struct run_plan run;   /* of the session */
    enum result_kind kind; /* what is asked for: RESULT_EXPLANATION, RESULT_LADDER or RESULT_XDR */

    /* Of an explanation. */
    size_t slowest;             /* so many calls are described by themselves */
    bool no_server;             /* the client's phases alone */
    const char *server_command; /* prefix of a command line on the server's machine; NULL: none */
    struct predictions predictions; /* empty: none */

    /* Of a ladder: the echo that it stands on. Nowhere: one is started beside the server. */
    struct echo_address echo;
};

/* Settle what follows from KIND. */
void explain_plan_settle(struct explain_plan *plan);

struct explain_run;

/* Mount, find the objects, and make ready what the method takes. PLAN must outlive the run. 0, or a
 * negative errno with ERROR set; *RUN is to be closed in any case. */
int explain_run_open(struct explain_run **run, const struct explain_plan *plan,
                     struct error *error);

/* Measure. 0, or what ended it early (-EINTR for Ctrl-C), with ERROR set. */
int explain_run_measure(struct explain_run *run, struct error *error);

/* As session_unmount(). */
int explain_run_unmount(struct explain_run *run, struct error *error);

/* *RESULT is what was measured until then, of the plan's kind: a struct explanation, ladder_result
 * or xdr_result; it points into RUN. NULL where no round was done. CUT_SHORT_BY is the line that
 * says why the run ended early, or NULL. 0, or a negative errno with ERROR set. */
int explain_run_result(struct explain_run *run, const char *cut_short_by, const void **result,
                       struct error *error);

/* Release everything; NULL is allowed. */
void explain_run_close(struct explain_run *run);

/* The methods */

enum {
    EXPLAIN_SERIES_MAXIMUM = 512, /* in the rounds of a method */
};

#define EXPLAIN_BESIDE SIZE_MAX /* a series that makes no calls of the session's */

/* What a method's own struct begins with. */
struct explain_run {
    const struct explain_method *method;
    const struct explain_plan *plan;
    struct session session;
    struct block_source calls; /* the session's own blocks */
    struct rounds rounds;      /* the method's */
    bool beside_failed;        /* what ended the rounds was not the server */
};

struct explain_method {
    size_t size; /* of its own struct; zeroed, but for its first member, when it is opened */
    /* Make ready what the blocks take; the session is open. 0, or a negative errno with ERROR set.
     */
    int (*open)(struct explain_run *run, struct error *error);
    /* Fill in how many series the rounds have, and by series the calls in a block and whether it
     * FOLLOWS the others (struct rounds_plan), which none does at first. Returns the calls in a
     * round. */
    uint64_t (*shape)(const struct explain_run *run, size_t *series, uint32_t *blocks,
                      bool *follows);
    /* The session's series whose calls SERIES makes; EXPLAIN_BESIDE: of none. */
    size_t (*calls_of)(const struct explain_run *run, size_t series);
    /* As those of struct block_source, whose context is the run. Only the first must be there. */
    int (*run_block)(void *context, size_t series, struct block *block, struct error *error);
    bool (*warm)(void *context, bool steady);
    bool (*enough)(void *context, size_t round); /* NULL: the session's own */
    /* The warm-up is over; NULL: that is nothing to it. */
    void (*begins)(struct explain_run *run);
    /* Before and after the rounds: show the session its own; NULL: it has none of them. */
    void (*show_rounds)(struct explain_run *run);
    /* As explain_run_result(), after a round at least. */
    int (*result)(struct explain_run *run, const char *cut_short_by, const void **result,
                  struct error *error);
    /* Release its own. It may not have been opened. */
    void (*close)(struct explain_run *run);
};

extern const struct explain_method explain_phases, explain_ladder, explain_xdr;

#endif
