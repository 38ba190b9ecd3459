/* A point of a sweep over concurrency: how many calls are in flight, what throughput that makes,
 * and how long a call takes; and two laws that hold between these for any system (Lazowska,
 * Zahorjan, Graham and Sevcik, "Quantitative System Performance", 1984). */
#ifndef NFSBENCH_MEASURE_LOAD_POINT_H
#define NFSBENCH_MEASURE_LOAD_POINT_H

#include <stdbool.h>

#include "measure/levels.h"

struct load_point {
    double concurrency;         /* calls in flight: clients x depth; at least 1 */
    struct repeats throughput;  /* calls per second, over 0 */
    struct repeats response_ns; /* the mean time of a call, over 0; as many repeats */
    /* The mean time from a reply to the next call in its place, at least 0; as many repeats, or
     * none where it is not known. */
    struct repeats turn_around_ns;
};

/* Does Little's law, concurrency = throughput x (response time + turn-around), hold at a point? In
 * a closed loop it must; without the turn-around, but for what the client itself adds. */
enum little_verdict {
    LITTLE_HOLDS,   /* within the noise, or LITTLE_TOLERANCE */
    LITTLE_BELOW,   /* fewer calls are in flight than asked for: slots wait for the client, where
                       the turn-around is not known; else the figures contradict each other */
    LITTLE_ABOVE,   /* more than there can be: the figures contradict each other */
    LITTLE_UNKNOWN, /* off by more than LITTLE_TOLERANCE, but measured once only */
};

#define LITTLE_TOLERANCE 0.02 /* calls that a window's edges cut are that many at most */

struct little {
    struct interval discrepancy; /* throughput x (response + turn-around) / concurrency - 1 */
    enum little_verdict verdict;
};

/* 0, -EINVAL for figures that are none (as in load_point_knee()), or -ENOMEM. */
int load_point_little(const struct load_point *point, uint64_t seed, struct little *little,
                      struct error *error);

/* "holds", "below", "above", "unknown" */
const char *little_verdict_name(enum little_verdict verdict);

/* The knee: where the two asymptotic bounds on throughput cross, N / R_min (no call waits for
 * another) and X_max (something is always busy). With fewer calls in flight than X_max x R_min the
 * system has time to spare, with more they queue (Lazowska et al., section 5.2). */
struct knee {
    struct interval concurrency;
    struct interval throughput_maximum; /* calls per second: the level of the best point */
    struct interval response_minimum;   /* ns: the level of the quickest point */
    bool lower_bound;                   /* the sweep ended before the throughput did */
};

/* The throughput still grows when its elasticity at the end of the sweep, d ln X / d ln N, is over
 * this: 1 where it grows in proportion, 0 where it is level. */
#define KNEE_ELASTICITY_LEVEL 0.25

/* Find it among COUNT points, in any order, at least 2 concurrencies. The best and the quickest
 * point are chosen once, by their levels, and the resamples keep to them: choosing again would
 * favour chance twice. 0; -EINVAL for a concurrency under 1, another figure not over 0, or
 * different numbers of repeats of the two; -ENODATA for too few concurrencies; -ENOMEM. */
int load_point_knee(const struct load_point *points, size_t count, uint64_t seed, struct knee *knee,
                    struct error *error);

/* How many different concurrencies there are among COUNT points. */
size_t load_point_concurrencies(const struct load_point *points, size_t count);

/* The levels of both quantities, resampled alike; RESPONSE_NS may be NULL. Errors as
 * load_point_knee(), without -ENODATA. Both are to be freed after success. */
int load_point_levels(const struct load_point *points, size_t count, uint64_t seed,
                      struct levels *throughput, struct levels *response_ns, struct error *error);

#endif
