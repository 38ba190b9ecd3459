/* When calls are sent: in an open loop when they are due, in a closed loop after think times. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/random.h"

enum arrivals_kind {
    ARRIVALS_CONSTANT, /* evenly spaced */
    ARRIVALS_POISSON,  /* each independent of the others: exponential gaps */
    ARRIVALS_COURSE,   /* at a rate that changes, in bursts: as a struct arrivals_course says */
};

/* "constant", "poisson", "captured"; NULL after the last. */
extern const char *const arrivals_names[];

enum { ARRIVALS_INTERVALS_MAXIMUM = 64 };

/* How often calls came in one interval after the other, which are equally long. */
struct arrivals_course {
    double calls[ARRIVALS_INTERVALS_MAXIMUM]; /* in each; 0 is possible, but not in all of them */
    size_t count;                             /* of intervals: 1 or more */
    double span; /* intervals that it lasts: the last one may be a part only */
    /* Standard deviation over mean of the gaps where the rate does not change: 0 even, 1 Poisson,
     * more in bursts. The gaps are drawn from a gamma distribution, independently of each other. */
    double burstiness;
};

/* Times are in the unit of the caller's gap, ticks or ns. Whole and fraction are kept apart, so
 * that rounding errors do not accumulate over a long run. */
struct arrivals {
    enum arrivals_kind kind;
    double gap;
    double first; /* ARRIVALS_CONSTANT: the first arrival */
    uint64_t count;
    uint64_t whole; /* ARRIVALS_POISSON: the last arrival, without its fraction */
    double fraction;
    const struct arrivals_course *course; /* of ARRIVALS_COURSE */
    double unit;                          /* an interval of it */
    size_t interval;                      /* that the last arrival was in */
    double before, passed; /* calls of its first intervals up to that one, and up to the arrival */
    uint64_t courses;      /* that have passed */
    struct random random;
};

/* Begin the arrivals of one client. GAP, above 0, is the mean time between two calls of this
 * client. Constant arrivals are at FIRST, FIRST + GAP and so on: if n clients share a rate and the
 * i-th begins at i x GAP / n, their calls together are evenly spaced. Poisson arrivals begin with a
 * random gap and ignore FIRST; those of several clients with different seeds together form a
 * Poisson process again. */
void arrivals_begin(struct arrivals *arrivals, enum arrivals_kind kind, double gap, double first,
                    uint64_t seed);

/* The same for ARRIVALS_COURSE, which begins anew whenever it has ended. GAP is the mean over all
 * of COURSE. Only one client's arrivals are distributed as it says. */
void arrivals_begin_course(struct arrivals *arrivals, const struct arrivals_course *course,
                           double gap, uint64_t seed);

/* The time since the start at which the next call is due; never earlier than the one before. Takes
 * about 10 ns. The relative error is at most 2^-52, however many arrivals came before. */
double arrivals_next(struct arrivals *arrivals);

/* The rate SEEN over CALLS calls as a share of the requested RATE, in the most favourable case: the
 * rate of CALLS Poisson arrivals has a relative standard deviation of 1 / sqrt(CALLS), and two of
 * these are allowed for. A part of a course may have any rate: its share is 1. */
double arrivals_share_reached(enum arrivals_kind kind, double rate, double seen, uint64_t calls);

/* The share of RATE that a server with a median response of MEDIAN_NS can answer while at most
 * IN_FLIGHT calls are in flight, by Little's law. Below 1: the calls were sent at the rate only
 * because they were too few to be held up by those that had no answer yet. */
double arrivals_share_answered(double rate, double in_flight, double median_ns);

/* Think times: how long the users of a closed loop, each in their own way, wait. A connection makes
 * some calls; when all of them are answered, it waits before it makes the next ones. */

enum { THINK_QUANTILES = 6 };

/* The probabilities of the quantiles. */
extern const double think_probabilities[THINK_QUANTILES];

struct think {
    double ns[THINK_QUANTILES]; /* that a wait takes; ascending */
    double calls;               /* between two waits, on average; 1 or more */
    unsigned depth;             /* most calls in flight on a connection; no more than the load's */
};

/* How long to wait, ns: from a distribution that is even between the quantiles, and has nothing
 * outside of the outermost. */
double think_draw_ns(const struct think *think, struct random *random);

/* The mean of these times, ns. */
double think_mean_ns(const struct think *think);

/* How many calls to make until the next wait: one of the two numbers next to the average. */
size_t think_draw_calls(const struct think *think, struct random *random);
