/* Measurements made of several launches. A launch is a new client process with its own mount and
 * connection; a server process, if the tool starts it, serves one or more launches. Rounds within a
 * launch cannot show what varies between launches (memory layout, the choice of processor). So the
 * independent unit is the server process if there are several (its estimate is the mean of its
 * launches'), otherwise the launch; the number of rounds determines only the standard error of each
 * unit's estimate. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "measure/statistics/estimate.h"

struct launch {
    unsigned server; /* any number that identifies its server process */
    double estimate; /* a cost or a round trip, ns */
    /* Standard error of the estimate from the launch's own rounds, ns; 0 if unknown. */
    double within;
};

/* What an interval over launches is valid for. */
enum launches_scope {
    LAUNCHES_CONNECTION, /* one launch: this connection only */
    LAUNCHES_SERVER,     /* several launches, one server process: this server, any connection */
    LAUNCHES_PROGRAM,    /* several server processes: this program, any launch */
};

/* Of N launches (at least 1). */
enum launches_scope launches_scope(const struct launch *launches, size_t n);

/* The mean over the independent units of N launches (at least 1). */
struct launches_mean {
    size_t units;
    double mean;
    double deviation; /* standard deviation of the units; 0 for one */
    double within;    /* standard error of the mean from the rounds alone; 0 if unknown */
};

struct launches_mean launches_mean(const struct launch *launches, size_t n);

/* A mean, or the difference of two, as the spread between units and the rounds' own noise have it.
 */
struct difference {
    double estimate;
    double error, degrees; /* its standard error by the spread, with DEGREES of freedom; 0: none */
    double within;         /* its standard error if only rounds varied */
};

struct difference launches_difference(const struct launches_mean *mean);

/* The interval whose upper end is at QUANTILE: Student's, but if the units happen to be closer
 * together than their rounds imply, the rounds determine it. */
struct interval difference_interval(const struct difference *difference, double quantile);

/* The mean over the independent units of N launches (at least 1), with its 95 % interval from
 * Student's t with one degree of freedom fewer than units. The interval is never narrower than the
 * launches' own rounds imply; with one launch it comes from that launch's rounds alone (see
 * launches_scope()).
 *
 * tests/unit/test_launches.c measures the coverage: 94 to 98 % with 3, 5 and 10 units that are
 * normal or have heavy tails, and with 5 and 10 units on two levels. No interval can allow for what
 * did not occur: with two levels, 3 units are all on one of them in a quarter of the measurements;
 * and if one unit in ten is disturbed and the others are close together, 10 units cover the mean in
 * 75 %. Intervals from a bootstrap over the units were tried for 5 to 30 units: their coverage is
 * lower than Student's (90 % for 10 normal values) or, studentised, they are up to eight times as
 * wide on two levels. */
void launches_estimate(const struct launch *launches, size_t n, struct interval *interval);

/* Standard deviation that each level of repetition contributes to the estimate of a launch, ns. */
struct launches_spread {
    double rounds;  /* within a launch, from its rounds; 0 if unknown */
    double clients; /* between launches on one server process; NAN if no process has two */
    double servers; /* between server processes; NAN if there is only one. If each served one
                       launch, this includes the clients' part */
};

/* Nested analysis of variance, from the expected mean squares (Searle, Casella and McCulloch,
 * "Variance Components", 1992, section 3.6, which allows different numbers of launches per server
 * process); a negative variance estimate is set to 0. */
void launches_spread(const struct launch *launches, size_t n, struct launches_spread *spread);

/* The time of one repetition at each level alone, seconds, above 0: a round; starting a client
 * (process, mount, warm-up) without its rounds; starting a server process without its clients. */
struct launches_times {
    double round, client, server;
};

struct launches_plan {
    size_t servers; /* server processes */
    size_t clients; /* launches on each of them */
    size_t rounds;  /* of each launch */
    double seconds; /* duration of the whole */
};

enum {
    LAUNCHES_LEAST = 5, /* launches to plan, at least: fewer often miss one of two levels */
    /* Of at least LAUNCHES_LEAST, so many may be disturbed, and the interval of all has the level
     * of the others: if K of N take longer by D, their mean is off by K D / N; half of Student's
     * interval is t sqrt(K (N - K) / (N - 1)) D / N, 1.4 times as much or more. */
    LAUNCHES_DISTURBED_MOST = 2,
    LAUNCHES_LEAST_ROUNDS = 20,
    LAUNCHES_MOST_ROUNDS = 1000000,
    LAUNCHES_MOST_CLIENTS = 1000, /* per server process */
    /* Independent units; a plan with as many does not reach the half-width. */
    LAUNCHES_MOST = 1000000,
};

/* Find the numbers of repetitions at each level that reach an interval of half-width HALF_WIDTH
 * (ns, above 0) in the least time (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time",
 * 2013, section 9): at each level but the highest, sqrt(time of the level above / own time) x own
 * deviation / deviation of the level above; at the highest level, as many as Student's t requires,
 * and where LAUNCHES_LEAST are more than that, no more rounds than it takes with these.
 * SPREAD comes from launches of ROUNDS rounds each (at least 1). If SPREAD.servers is NAN, there is
 * one server process and launches are the highest level; if SPREAD.clients is NAN, each server
 * process has one launch. */
void launches_plan(const struct launches_spread *spread, size_t rounds,
                   const struct launches_times *times, double half_width,
                   struct launches_plan *plan);

/* How many launches to add to TOTAL before the next look whether their intervals are narrow enough:
 * as many as PLAN (NULL: none is known) lacks, and at least half of TOTAL, so that looks are few
 * (see measure/statistics/precision.h). */
size_t launches_further(size_t total, const struct launches_plan *plan);

/* Do the independent units form groups?
 *
 * The best split into two groups of at least two is compared with the best splits of samples of as
 * many normal values (p); and the gap between the groups must exceed 1.5 times the larger standard
 * deviation within a group. False-alarm rates, from 3,000 samples: at most 1 % for normal values;
 * for exponential ones (one level with a long tail) 2 % with 5 units, 5 % with 10 and 20. Two
 * equally likely levels, 10 standard deviations apart, are found in 29 % with 5 units, 97 % with 10
 * and always with 20; 6 standard deviations apart in 9, 58 and 90 %. So 5 launches seldom prove two
 * levels. */
struct launches_levels {
    size_t groups;     /* 2 if p is below 0.01 and there is a gap, otherwise 1 */
    double level[2];   /* the groups' means, lower first, ns; a single group is the first */
    size_t members[2]; /* units in each group */
    double p; /* p-value of the split under normality; 1 without a gap or with fewer than 5 units */
};

/* Find the groups of N launches (at least 1). Returns 0 or -ENOMEM. */
int launches_levels(const struct launch *launches, size_t n, struct launches_levels *levels,
                    struct error *error);
