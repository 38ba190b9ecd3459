/* Measurements that are made of launches. A launch is a fresh client process with a mount and a
 * connection of its own; a server process, where the tool starts it, serves one launch or several.
 * What changes from launch to launch (where things lie in memory, on which processor) no number of
 * rounds within a launch can show. So the unit of evidence is the server process where there are
 * several (its estimate is the mean of its launches'), else the launch; how many rounds each had
 * decides only how well that unit's estimate is known. */
#ifndef NFSBENCH_MEASURE_LAUNCHES_H
#define NFSBENCH_MEASURE_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/comparison.h"
#include "measure/estimate.h"

struct launch {
    unsigned server; /* the number of its server process; any numbers serve */
    double estimate; /* of one quantity (a cost, a round trip), ns */
    double within; /* standard error of the estimate by the launch's own rounds, ns; 0 if unknown */
};

/* What an interval over launches speaks of. */
enum launches_scope {
    LAUNCHES_CONNECTION, /* one launch: this connection only */
    LAUNCHES_SERVER,     /* several launches, one server process: this server, any connection */
    LAUNCHES_PROGRAM,    /* several server processes: this program, any launch */
};

/* Of N launches (at least 1). */
enum launches_scope launches_scope(const struct launch *launches, size_t n);

/* The estimates of the units of evidence of N launches (at least 1), into UNITS, which has room for
 * N. Returns how many there are. */
size_t launches_units(const struct launch *launches, size_t n, double *units);

/* The mean over the units of evidence of N launches (at least 1), with the 95 % interval of
 * Student's t for one degree fewer than there are units. Never narrower than the launches' own
 * rounds allow; one launch has the interval of its rounds alone (see launches_scope()).
 *
 * How often it holds the truth is measured in tests/unit/test_launches.c: with 3, 5 and 10 units
 * in 94 to 98 % where they are normal or have heavy tails, and with 5 and 10 on two levels. What
 * never came up no interval can know: of 3 units on two levels all lie on one in a quarter of the
 * measurements, and where one unit in ten is disturbed and all others lie close together, 10 cover
 * the mean in 75 %. Intervals from a bootstrap over the units were tried for 5 to 30 units: they
 * cover less than Student's (90 % of normal values with 10) or, studentised, are up to eight times
 * as wide on two levels. */
void launches_estimate(const struct launch *launches, size_t n, struct interval *interval);

/* How much each level of repetition adds to the estimate of a launch: standard deviations, ns. */
struct launches_spread {
    double rounds;  /* of a launch, by its own rounds; 0 where no launch knows it */
    double clients; /* from launch to launch on one server process; NAN where none has two */
    double servers; /* from server process to server process; NAN where there is but one. Where
                       each served one launch it holds the clients' part, too */
};

/* Nested analysis of variance, by the expected mean squares (Searle, Casella and McCulloch,
 * "Variance Components", 1992, section 3.6: server processes may have served different numbers of
 * launches); a variance that comes out negative is 0. */
void launches_spread(const struct launch *launches, size_t n, struct launches_spread *spread);

/* What a repetition at each level takes by itself, seconds, all above 0: a round, starting a client
 * (process, mount, warm-up) without its rounds, starting a server process without its clients. */
struct launches_times {
    double round, client, server;
};

struct launches_plan {
    size_t servers; /* server processes */
    size_t clients; /* launches on each of them */
    size_t rounds;  /* of each launch */
    double seconds; /* that all this takes */
};

enum {
    LAUNCHES_LEAST = 5, /* launches to plan for: fewer often miss one of two levels */
    LAUNCHES_LEAST_ROUNDS = 20,
    LAUNCHES_MOST_ROUNDS = 1000000,
    LAUNCHES_MOST_CLIENTS = 1000, /* on a server process */
    LAUNCHES_MOST = 1000000,      /* units of evidence: a plan that has so many does not reach it */
};

/* The repetitions per level that bring the half-width of the interval to HALF_WIDTH (ns, above 0)
 * in the least time (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", 2013, section
 * 9): at each level but the highest sqrt(time of the level above / own time) x own deviation /
 * deviation of the level above; at the highest as many as Student's t asks for. SPREAD was found in
 * launches of ROUNDS rounds each (at least 1). Where SPREAD.servers is NAN there is one server
 * process, and launches are the highest level; where SPREAD.clients is NAN each has one launch. */
void launches_plan(const struct launches_spread *spread, size_t rounds,
                   const struct launches_times *times, double half_width,
                   struct launches_plan *plan);

/* Do the units of evidence fall in groups?
 *
 * The best split into two groups of two at least is held against the best splits of samples of as
 * many normal values (p); and the gap between the groups must be more than 1.5 times the larger
 * deviation within one. False alarms, in 3,000 samples: 1 % of normal values at most; of
 * exponential ones (one level with a long tail) 2 % with 5 units, 5 % with 10 and 20. Two levels
 * as likely as each other, 10 deviations apart, are found in 29 % with 5 units, 97 % with 10 and
 * always with 20; 6 deviations apart in 9, 58 and 90 %. So 5 launches seldom prove two levels. */
struct launches_levels {
    size_t groups;     /* 1, or 2 where p is below 0.01 and there is a gap */
    double level[2];   /* the groups' means, lower first, ns; with one group the first holds all */
    size_t members[2]; /* units of evidence in each */
    double p;          /* that normal values split so well; 1 without a gap, or for under 5 units */
};

/* Of N launches (at least 1). 0 or -ENOMEM. */
int launches_levels(const struct launch *launches, size_t n, struct launches_levels *levels,
                    struct error *error);

/* Compare two measurements, FIRST of N launches and SECOND of M (at least 1 each): Welch's test on
 * the means of their units of evidence. Where one side has a single unit, the other's deviation
 * serves for both. False, with P and ADJUSTED_P of 1 and infinite intervals of the difference,
 * where both have a single one: what differs from launch to launch is then not known. */
bool launches_compare(const struct launch *first, size_t n, const struct launch *second, size_t m,
                      struct comparison *comparison);

#endif
