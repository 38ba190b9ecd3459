/* The phases of a call, and the time that many calls spent in each phase.
 *
 * A view is a selection of phases. Each phase ends at its timestamp and begins at the last known
 * timestamp before. So the phases of a call have no gaps or overlaps, and add up to its lifetime. A
 * phase whose timestamp is missing (a server thread that did not sleep is not woken) is not
 * entered, and its time belongs to the next phase. */
#pragma once

#include "measure/histogram.h"
#include "measure/statistics/estimate.h"
#include "measure/timestamp.h"

/* Where the time of a phase is spent. */
enum phase_kind {
    PHASE_CLIENT,   /* the client's processor, in its program or its kernel */
    PHASE_QUEUEING, /* waiting: for a processor, for the device, for other calls */
    PHASE_NETWORK,
    PHASE_SERVER,
    PHASE_NETWORK_AND_SERVER, /* network and server, which are not distinguishable */
    PHASE_KINDS,
};

/* Which views a phase belongs to, and its properties. */
enum phase_flag {
    /* Only in views of calls made one at a time (SINGLE), or only in views of calls under load
     * (LOAD). Without these flags: in both. */
    PHASE_SINGLE = 1,
    PHASE_LOAD = 2,
    /* In views without the server's timestamps (ALONE), with timestamps of a server on this machine
     * (LOCAL), or with timestamps of a server on another machine (REMOTE), which are shifted so
     * that both directions have equal network times. None of these flags: in all views. */
    PHASE_ALONE = 4,
    PHASE_LOCAL = 8,
    PHASE_REMOTE = 16,
    PHASE_REQUIRED = 32,   /* if the phase's timestamp is missing, the call can't be explained */
    PHASE_JOINED = 64,     /* the phase's time is added to the first phase with the same key */
    PHASE_PROCESSOR = 128, /* the phase is a wait for a processor */
};

struct phase_type {
    const char *key;     /* name for programs: "server-work" */
    const char *name;    /* name for people: "server works" */
    const char *meaning; /* one sentence */
    enum phase_kind kind;
    enum timestamp ends;
    unsigned flags; /* a combination of enum phase_flag */
};

/* All phases, in the order of the timestamps. The number of a phase is its index. */
enum { PHASE_TYPES = 43 };
extern const struct phase_type phase_types[PHASE_TYPES];

/* The complete lifetime of a call as one phase, which belongs to no view. */
extern const struct phase_type phase_life;

struct phase_view {
    const char *name; /* "client", "load-both" */
    unsigned flags; /* PHASE_SINGLE or PHASE_LOAD, with PHASE_ALONE, PHASE_LOCAL or PHASE_REMOTE */
};

extern const struct phase_view phase_view_client, phase_view_both, phase_view_joined;
extern const struct phase_view phase_view_load_client, phase_view_load_both, phase_view_load_joined;

bool phase_is_in(const struct phase_view *view, size_t phase);

/* The time that the calls added so far spent in one phase. */
struct phase_total {
    struct histogram histogram; /* times of calls in the phase after phases_join(), ns */
    double sum_ns;              /* sum of the times before phases_join() */
};

struct phases {
    const struct phase_view *view;
    struct phase_total *totals; /* PHASE_TYPES items, by phase number */
    struct histogram lifetime;  /* lifetimes of the explained calls, by the measuring clock, ns */
    /* calls whose send() returned after TRANSMITTED: the time from TRANSMITTED until then, ns */
    struct histogram overlap;
    double overlap_begin_ns; /* sum of the times from BEGUN to TRANSMITTED of OVERLAP's calls */
    /* Numbers of calls that were not explained, by reason. */
    uint64_t retransmitted, failed;
    uint64_t incomplete;   /* a required timestamp was lost */
    uint64_t out_of_order; /* timestamps go backwards: a clock or a timestamp is wrong */
};

enum phase_finding {
    PHASE_EXPLAINED,
    PHASE_FAILED,
    PHASE_RETRANSMITTED,
    PHASE_INCOMPLETE,
    PHASE_OUT_OF_ORDER,
};

/* Set NS, indexed by phase number, to the time that CALL spent in each phase of VIEW (NAN: not
 * entered). Returns PHASE_EXPLAINED, or why the call can't be explained; NS is incomplete then. */
enum phase_finding phases_of_call(const struct phase_view *view, const struct call_times *call,
                                  double ns[PHASE_TYPES]);

/* Add the times of joined phases in NS to the first phase with the same key, and set the joined
 * phases' times to NAN. */
void phases_join(double ns[PHASE_TYPES]);

/* Allocate PHASES, with no calls yet. Returns 0 or -ENOMEM. */
int phases_open(struct phases *phases, const struct phase_view *view);

void phases_close(struct phases *phases);

/* Add CALL's times to PHASES, or count why it is not explained. Returns as phases_of_call(). */
enum phase_finding phases_add(struct phases *phases, const struct call_times *call);

/* A row of a table of phases, or of states (measure/states.h). Phases with one key share a row. */
struct phase_row {
    const struct phase_type *type;
    size_t phase;   /* number of the phase or of the state */
    uint64_t count; /* how many calls entered the phase, or how often tasks entered the state */
    double mean;    /* mean of these COUNT times, ns */
    /* mean over all calls, or over all tasks, ns; one that did not enter counts as 0 */
    double adjusted;
    struct interval added; /* ADJUSTED with its confidence interval over the rounds; states: 0 */
    /* minimum, maximum, median, p99 of the COUNT times, ns; p50, p99: 0 for states */
    double low, high, p50, p99;
    double share;                  /* ADJUSTED / mean lifetime, 0 to 1 */
    double share_without_queueing; /* ADJUSTED / lifetime without queueing; NAN for queueing */
    /* ADJUSTED / the lifetime's part of PHASE_CLIENT; NAN for phases of other kinds */
    double share_of_client;
    /* begin of the row's first bar, ns after the call's begin; length: ADJUSTED - SECOND_NS */
    double begins;
    /* begin and length of the bar of the phases joined to this row, ns; 0: no such bar */
    double second_begins, second_ns;
};

/* Set the members `share`, `share_without_queueing` and `share_of_client` in each of COUNT ROWS,
 * from their ADJUSTED. LIFETIME_NS is the mean lifetime of a call. */
void phase_rows_share(struct phase_row *rows, size_t count, double lifetime_ns);

/* Return the mean lifetime of a call according to PHASES, ns: the times of all phases, added up,
 * divided by the number of explained calls. 0 if no call is explained. */
double phases_sum(const struct phases *phases);
