/* The phases of a call, and the time that many calls spent in each.
 *
 * A view has some of all timestamps: each phase ends at one and begins at the last known one before
 * it. So the phases of a call have no gaps or overlaps, and add up to its lifetime. A phase whose
 * timestamp is missing (a server thread that did not sleep is not woken) is not entered, and its
 * time belongs to the next phase. */
#pragma once

#include "measure/histogram.h"
#include "measure/statistics/estimate.h"
#include "measure/timestamp.h"

/* Where the time of a phase is spent. */
enum phase_kind {
    PHASE_CLIENT,   /* the client's processor, in its program or its kernel */
    PHASE_QUEUEING, /* waiting: for a processor, for the device, behind other calls */
    PHASE_NETWORK,
    PHASE_SERVER,
    PHASE_NETWORK_AND_SERVER, /* not distinguishable */
    PHASE_KINDS,
};

/* Which views have it, and what it is to them. */
enum phase_flag {
    /* Only those of calls that are made one at a time; or under load. */
    PHASE_SINGLE = 1,
    PHASE_LOAD = 2,
    /* Only those without the server's timestamps; with them by the same clock; or with those of a
     * server on another machine, placed so that the remaining network time is split equally between
     * both directions. */
    PHASE_ALONE = 4,
    PHASE_LOCAL = 8,
    PHASE_REMOTE = 16,
    PHASE_REQUIRED = 32, /* a call without this timestamp can't be explained: something was lost */
    PHASE_JOINED = 64,   /* its time is added to the first phase with the same key */
    PHASE_PROCESSOR = 128, /* a processor is waited for */
};

struct phase_type {
    const char *key;     /* for programs: "server-work" */
    const char *name;    /* for people: "server works" */
    const char *meaning; /* a sentence */
    enum phase_kind kind;
    enum timestamp ends;
    unsigned flags; /* of enum phase_flag */
};

/* All phases, in the order of the timestamps. A phase's number is its index. */
enum { PHASE_TYPES = 43 };
extern const struct phase_type phase_types[PHASE_TYPES];

/* The whole, from its begin to its end: in no view. */
extern const struct phase_type phase_life;

struct phase_view {
    const char *name; /* "client", "load-both" */
    unsigned flags;   /* the phases that only such views have */
};

extern const struct phase_view phase_view_client, phase_view_both, phase_view_joined;
extern const struct phase_view phase_view_load_client, phase_view_load_both, phase_view_load_joined;

/* Does VIEW have phase number PHASE? */
bool phase_is_in(const struct phase_view *view, size_t phase);

/* The time that the calls added so far spent in a phase. */
struct phase_total {
    struct histogram histogram; /* of the calls that entered it */
    double sum_ns;
};

struct phases {
    const struct phase_view *view;
    struct phase_total *totals; /* by number; PHASE_TYPES of them */
    struct histogram lifetime;  /* of the explained calls, by the measuring clock */
    struct histogram overlap;   /* from TRANSMITTED until the client's send() returned */
    double overlap_begin_ns;    /* sum: from BEGUN to TRANSMITTED, over the same calls */
    /* Calls that were not explained, by reason. */
    uint64_t retransmitted, failed;
    uint64_t incomplete;   /* a required timestamp was lost */
    uint64_t out_of_order; /* timestamps go backwards: a clock or a timestamp is wrong */
};

/* Why a call can't be explained. */
enum phase_finding {
    PHASE_EXPLAINED,
    PHASE_FAILED,
    PHASE_RETRANSMITTED,
    PHASE_INCOMPLETE,
    PHASE_OUT_OF_ORDER,
};

/* Store the time that one call spent in each phase in NS, by number (NAN: not entered). */
enum phase_finding phases_of_call(const struct phase_view *view, const struct call_times *call,
                                  double ns[PHASE_TYPES]);

/* Add the time of the joined phases in NS to the first phase with the same key; they are not
 * entered then. */
void phases_join(double ns[PHASE_TYPES]);

/* Allocate PHASES, without calls. Returns 0 or -ENOMEM. */
int phases_open(struct phases *phases, const struct phase_view *view);

/* Free PHASES, which may be zeroed. */
void phases_close(struct phases *phases);

/* Add a call to the phases, or to those that were not explained. */
enum phase_finding phases_add(struct phases *phases, const struct call_times *call);

/* A row of a table of phases, or of states (measure/states.h). If several phases of a view have one
 * key, only the first has a row. */
struct phase_row {
    const struct phase_type *type;
    size_t phase;    /* its number, or the state's */
    uint64_t count;  /* calls that entered it; how often tasks entered the state */
    double mean;     /* each time */
    double adjusted; /* MEAN times the share of calls that entered it: its contribution to the mean
                        lifetime */
    struct interval added; /* ADJUSTED, with its interval over the rounds */
    double low, high, p50, p99;
    double share;                  /* of the mean lifetime, 0 to 1 */
    double share_without_queueing; /* of the lifetime without queueing; NAN for queueing */
    double share_of_client;        /* of the client's phases; NAN for other phases */
    double begins; /* begin of its bar, from the call's begin, in the mean of all calls; the bar's
                      length is ADJUSTED (less SECOND_NS) */
    double second_begins, second_ns; /* begin and length (mean) of the second bar of joined phases;
                                        0: none. MEAN includes both */
};

/* Fill in the shares that COUNT ROWS have in a mean lifetime, by what they contribute to it. */
void phase_rows_share(struct phase_row *rows, size_t count, double lifetime_ns);

/* The sum over the phases of their means, each weighted by the share of the calls that entered it:
 * the mean lifetime of a call according to the phases, ns; 0 without calls. */
double phases_sum(const struct phases *phases);
