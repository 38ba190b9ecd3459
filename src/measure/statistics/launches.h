/* Measurements made of several launches. A launch is a new client process with its own mount and
 * connection; a server process, if the tool starts it, serves one or more launches. Rounds within a
 * launch cannot show what varies between launches (memory layout, choice of processor). So the
 * independent unit is the server process if there are several (its estimate is the mean of its
 * launches), otherwise the launch. The number of rounds determines only the standard error of each
 * unit's estimate. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "measure/statistics/estimate.h"

struct launch {
    unsigned server; /* any number that identifies the launch's server process */
    double estimate; /* a cost, a round trip, another figure (such as a rate), or a difference */
    /* Standard error of ESTIMATE from the launch's own rounds, in its unit; 0 if unknown. */
    double within;
};

/* What an interval over launches is valid for. */
enum launches_scope {
    LAUNCHES_CONNECTION, /* one launch: valid for its connection only */
    LAUNCHES_SERVER,     /* several launches, one server process: valid for any connection to it */
    LAUNCHES_PROGRAM,    /* several server processes: valid for this program, any launch */
};

/* Return the scope of N launches (at least 1). */
enum launches_scope launches_scope(const struct launch *launches, size_t n);

/* The mean over the independent units of one or more launches. */
struct launches_mean {
    size_t units;
    double mean;
    double deviation; /* standard deviation of the units; 0 with one unit */
    double within;    /* standard error of the mean from the rounds alone; 0 if unknown */
};

struct launches_mean launches_mean(const struct launch *launches, size_t n);

/* A mean, or the difference of two means, with two standard errors: from the spread between units,
 * and from the rounds alone. */
struct difference {
    double estimate;
    /* standard error from the spread, and its degrees of freedom; both 0 with one unit */
    double error, degrees;
    double within; /* standard error if only rounds varied; 0: not used; INFINITY: unknown */
};

struct difference launches_difference(const struct launches_mean *mean);

/* Return the two-sided interval that ends at QUANTILE (0.975: the 95 % interval): the wider of
 * Student's interval and the interval that the rounds imply. */
struct interval difference_interval(const struct difference *difference, double quantile);

/* Estimate the mean over the independent units of N launches (at least 1), with its 95 % interval
 * by Student's t with one degree of freedom fewer than units. The interval is never narrower than
 * the launches' own rounds imply; with one launch it comes from its rounds alone
 * (launches_scope()).
 *
 * Coverage (tests/unit/test_launches.c): 94 to 98 % with 3, 5 and 10 units that are normal or have
 * heavy tails, and with 5 and 10 units on two levels. With two levels, 3 units are all on one level
 * in a quarter of the measurements. If one unit in ten is disturbed and the rest are close
 * together, 10 units cover the mean in 75 %. Bootstrap intervals over the units are worse. */
void launches_estimate(const struct launch *launches, size_t n, struct interval *interval);

/* Standard deviation that each level of repetition adds to the estimate of a launch, ns. */
struct launches_spread {
    double rounds; /* standard deviation from the rounds of a launch; 0 if unknown */
    /* standard deviation between launches on one server process; NAN if no process has two */
    double clients;
    /* standard deviation between server processes; NAN if there is only one process; includes
     * CLIENTS if each process has one launch */
    double servers;
};

/* Set SPREAD by a nested analysis of variance, from the expected mean squares (Searle, Casella and
 * McCulloch, "Variance Components", 1992, section 3.6, which allows different numbers of launches
 * per server process). A negative variance is set to 0. */
void launches_spread(const struct launch *launches, size_t n, struct launches_spread *spread);

/* Time of one repetition at each level, seconds, above 0. ROUND: of a round; CLIENT: of starting a
 * client (process, mount, warm-up) without its rounds; SERVER: of starting a server process without
 * its clients. */
struct launches_times {
    double round, client, server;
};

struct launches_plan {
    size_t servers; /* number of server processes */
    size_t clients; /* number of launches on each server process */
    size_t rounds;  /* number of rounds in each launch */
    double seconds; /* total duration */
};

enum {
    LAUNCHES_LEAST = 5, /* fewest units of a plan, because fewer often miss one of two levels */
    /* If this many of at least LAUNCHES_LEAST launches are disturbed, the interval over all still
     * includes the level of the undisturbed launches. Reason: if K of N take longer by D, the mean
     * is off by K D / N; half of Student's interval is t sqrt(K (N - K) / (N - 1)) D / N, at least
     * 1.38 times as much. */
    LAUNCHES_DISTURBED_MOST = 2,
    LAUNCHES_LEAST_ROUNDS = 20,
    LAUNCHES_MOST_ROUNDS = 1000000,
    LAUNCHES_MOST_CLIENTS = 1000, /* largest number of launches on each server process */
    /* Largest number of independent units; a plan with so many does not reach the half-width. */
    LAUNCHES_MOST = 1000000,
};

/* Find the numbers of repetitions that reach an interval of half-width HALF_WIDTH (ns, above 0) in
 * the least time (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", 2013, section 9).
 * At each level but the highest, the number is sqrt(time of the level above / own time) x own
 * deviation / deviation of the level above. At the highest level, it is what Student's t requires;
 * if LAUNCHES_LEAST is more than that, rounds are reduced to what is needed then. SPREAD comes from
 * launches of ROUNDS rounds each (at least 1). If SPREAD.servers is NAN, there is one server
 * process and launches are the highest level. If SPREAD.clients is NAN, each server process has one
 * launch. */
void launches_plan(const struct launches_spread *spread, size_t rounds,
                   const struct launches_times *times, double half_width,
                   struct launches_plan *plan);

/* Return the number of launches to make, after TOTAL launches, before the intervals are looked at
 * again: the number that is left of PLAN (NULL: no plan), but at least half of TOTAL, because looks
 * must be few (measure/statistics/precision.h). */
size_t launches_further(size_t total, const struct launches_plan *plan);

/* Whether the independent units form two groups of at least two. The best split is compared with
 * the best splits of as many normal values (p), and the gap between the groups must exceed 1.5
 * times the larger standard deviation within a group. False-alarm rates (3,000 samples): at most 1
 * % for normal values; for exponential values 2 % with 5 units, 5 % with 10 and 20. Two equally
 * likely levels, 10 standard deviations apart, are found in 29 % with 5 units, 97 % with 10, 100 %
 * with 20; 6 standard deviations apart in 9, 58 and 90 %. */
struct launches_levels {
    size_t groups; /* 2 if p is below 0.01 and there is a gap; otherwise 1 */
    /* means of the groups, lower first, ns; the second is NAN if there is one group */
    double level[2];
    size_t members[2]; /* number of units in each group */
    double p; /* p-value of the split under normality; 1 without a gap or with fewer than 5 units */
};

/* Find the groups of N launches (at least 1). Returns 0 or -ENOMEM. */
int launches_levels(const struct launch *launches, size_t n, struct launches_levels *levels,
                    struct error *error);
