/* The phases that a call passes through, and what many calls spent in each.
 *
 * A view is a list of moments: each phase ends with one, and begins with the last one before that
 * is known of the call. So the phases of a call follow each other without gap or overlap, and add
 * up to its life; one whose moment did not come (a server that had not slept is not woken) is not
 * entered, and its time is the next one's. */
#ifndef NFSBENCH_MEASURE_PHASES_H
#define NFSBENCH_MEASURE_PHASES_H

#include "measure/histogram.h"
#include "measure/timestamp.h"

/* Whose time it is. */
enum phase_kind {
    PHASE_CLIENT,   /* the client's processor, in its program or its kernel */
    PHASE_QUEUEING, /* waiting in the client's machine: for the device, for a processor */
    PHASE_NETWORK,
    PHASE_SERVER,
    PHASE_NETWORK_AND_SERVER, /* can't be told apart */
    PHASE_KINDS,
};

struct phase_type {
    const char *key;     /* for programs: "server-work" */
    const char *name;    /* for people: "server works" */
    const char *meaning; /* a sentence */
    enum phase_kind kind;
    enum timestamp ends;
    bool required; /* a call without that moment can't be explained: something was lost */
    bool joined;   /* what it takes is counted in the first phase of the same key */
};

struct phase_view {
    const char *name;                       /* "client", "both", "joined" */
    const struct phase_type *const *phases; /* in order */
    size_t count;
};

/* The client alone; with the server's moments by the same clock; and with those of another machine,
 * placed so that what remains for the network is before and after them in equal parts. */
extern const struct phase_view phase_view_client, phase_view_both, phase_view_joined;

enum { PHASES_MAXIMUM = 20 };

/* What the calls added so far spent in a phase. */
struct phase_total {
    struct histogram histogram; /* of the calls that entered it; its count says how many */
    double sum_ns;
};

struct phases {
    const struct phase_view *view;
    struct phase_total *totals; /* by index in the view; room for any view's */
    struct histogram lifetime;  /* of the calls explained, by the measuring clock */
    struct histogram overlap;   /* from TRANSMITTED until the client's send() returned */
    double overlap_begin_ns;    /* sum: from BEGUN to TRANSMITTED, over the same calls */
    /* Calls left out, by reason. */
    uint64_t retransmitted, failed;
    uint64_t incomplete;   /* a required moment is missing: a stamp was lost */
    uint64_t out_of_order; /* moments go back in time: clocks or stamps that can't be trusted */
};

/* How a call can't be explained. */
enum phase_finding {
    PHASE_EXPLAINED,
    PHASE_FAILED,
    PHASE_RETRANSMITTED,
    PHASE_INCOMPLETE,
    PHASE_OUT_OF_ORDER,
};

/* The phases of one call: the time in each to NS, by index in the view (NAN: not entered). */
enum phase_finding phases_of_call(const struct phase_view *view, const struct call_times *call,
                                  double ns[PHASES_MAXIMUM]);

/* Have room, and begin with no calls. 0 or -ENOMEM. */
int phases_open(struct phases *phases, const struct phase_view *view);

/* Give the room back; PHASES may be zeroed. */
void phases_close(struct phases *phases);

/* Begin anew, with no calls. */
void phases_clear(struct phases *phases, const struct phase_view *view);

/* Add a call: to the phases, or to those left out. */
enum phase_finding phases_add(struct phases *phases, const struct call_times *call);

/* The sum over the phases of their mean, each weighted by the share of the calls that entered it:
 * the mean life of a call according to the phases. ns; 0 without calls. */
double phases_sum(const struct phases *phases);

#endif
