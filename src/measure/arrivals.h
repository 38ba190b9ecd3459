/* When calls are sent: in an open loop when they are due, in a closed loop after think times. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/random.h"

enum arrivals_kind {
    ARRIVALS_CONSTANT, /* evenly spaced */
    ARRIVALS_POISSON,  /* exponential gaps, independent of each other */
    ARRIVALS_COURSE,   /* gaps with bursts, at a rate that follows a struct arrivals_course */
};

/* Names, indexed by enum arrivals_kind: "constant", "poisson", "captured" (a course), NULL. */
extern const char *const arrivals_names[];

enum { ARRIVALS_INTERVALS_MAXIMUM = 64 };

/* The numbers of calls in successive intervals of equal length, and the burstiness of the gaps. */
struct arrivals_course {
    double calls[ARRIVALS_INTERVALS_MAXIMUM]; /* number of calls in each interval; not all are 0 */
    size_t count;                             /* number of intervals: 1 or more */
    double span; /* duration in intervals: COUNT, or less if the last interval is incomplete */
    /* Standard deviation / mean of the gaps at a constant rate: 0 for even gaps, 1 for Poisson,
     * more for bursts. Gaps are drawn independently from a gamma distribution. */
    double burstiness;
};

/* A sequence of arrivals. Times are in the unit of the caller's gap, ticks or ns. The time of
 * Poisson arrivals is divided into `whole` and `fraction`, so that rounding errors do not add up
 * over a long run. */
struct arrivals {
    enum arrivals_kind kind;
    double gap;
    double first; /* ARRIVALS_CONSTANT: time of the first arrival */
    uint64_t count;
    uint64_t whole; /* ARRIVALS_POISSON: time of the latest arrival, without its fraction */
    double fraction;
    /* the course; this member and the next ones, down to `courses`, are only for ARRIVALS_COURSE */
    const struct arrivals_course *course;
    double unit;     /* duration of an interval of COURSE */
    size_t interval; /* index of the latest arrival's interval */
    /* expected number of calls since COURSE last began: up to the begin of INTERVAL; up to the
     * latest arrival */
    double before, passed;
    uint64_t courses; /* number of times that COURSE has ended */
    struct random random;
};

/* Begin a sequence of arrivals; KIND is not ARRIVALS_COURSE. GAP, above 0, is the mean time between
 * two calls. SEED is for the random gaps. Constant arrivals are at FIRST, FIRST + GAP and so on. If
 * n clients share a rate and client i begins at i x GAP / n, all calls together are evenly spaced.
 * Poisson arrivals begin with a random gap and ignore FIRST. If several clients have Poisson
 * arrivals with different seeds, all calls together are a Poisson process. */
void arrivals_begin(struct arrivals *arrivals, enum arrivals_kind kind, double gap, double first,
                    uint64_t seed);

/* Begin a sequence of arrivals that repeats COURSE. COURSE must outlive ARRIVALS. GAP is the mean
 * time between two calls over a course. Several sequences together would not have COURSE's
 * burstiness. */
void arrivals_begin_course(struct arrivals *arrivals, const struct arrivals_course *course,
                           double gap, uint64_t seed);

/* Return the time from the start until the next call is due; never earlier than the previous call.
 * Without a course, the function takes about 10 ns, and the relative error of the time is at most
 * 2^-52, even in a long run. */
double arrivals_next(struct arrivals *arrivals);

/* Return SEEN, the rate over CALLS calls, divided by RATE, the requested rate. For Poisson
 * arrivals, two standard deviations are added for chance: the rate of CALLS arrivals has a relative
 * standard deviation of 1 / sqrt(CALLS). Returns 1 for ARRIVALS_COURSE, since a part of a course
 * may have any rate. */
double arrivals_share_reached(enum arrivals_kind kind, double rate, double seen, uint64_t calls);

/* Return the share of RATE that a server with a median response time of MEDIAN_NS can answer with
 * at most IN_FLIGHT calls in flight, by Little's law. The share may exceed 1. If it is below 1,
 * only a run of few calls, which IN_FLIGHT hardly limits, can reach RATE. */
double arrivals_share_answered(double rate, double in_flight, double median_ns);

/* Think times: how long the connections of a closed loop wait. A connection makes some calls; when
 * all are answered, it waits before its next calls. Clients may share a distribution of waits. */

enum { THINK_QUANTILES = 6 };

extern const double think_probabilities[THINK_QUANTILES];

struct think {
    double ns[THINK_QUANTILES]; /* quantiles of the wait at think_probabilities, ns */
    double calls;               /* mean number of calls between two waits; 1 or more */
    unsigned depth; /* maximum of calls in flight on a connection, up to the load's depth */
};

/* Draw the duration of a wait, ns. The distribution is uniform between each quantile and the next.
 * No wait is below the first quantile or above the last. */
double think_draw_ns(const struct think *think, struct random *random);

double think_mean_ns(const struct think *think);

/* Draw the number of calls until the next wait: THINK's mean, rounded up or down at random. */
size_t think_draw_calls(const struct think *think, struct random *random);
