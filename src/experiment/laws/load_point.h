/* A point of a sweep over concurrency: the calls in flight, the throughput and the response time;
 * and two laws that relate these in any system (Lazowska, Zahorjan, Graham and Sevcik,
 * "Quantitative System Performance", 1984). */
#pragma once

#include <stdbool.h>

#include "experiment/laws/jackknife.h"

struct load_point {
    double concurrency;         /* calls in flight: clients x depth; at least 1 */
    struct repeats throughput;  /* calls per second, above 0 */
    struct repeats response_ns; /* the mean response time, above 0; in the same units */
    /* The mean time from a reply to the next call that replaces it, at least 0; as many repeats, or
     * none if it is unknown. */
    struct repeats turn_around_ns;
};

/* Does Little's law, concurrency = throughput x (response time + turn-around), hold at a point? In
 * a closed loop it must. If the turn-around is unknown, the discrepancy includes the client's own
 * time. */
enum little_verdict {
    LITTLE_HOLDS,   /* within the noise, or LITTLE_TOLERANCE */
    LITTLE_BELOW,   /* fewer calls were in flight than requested: calls waited for the client if the
                       turn-around is unknown; otherwise the figures are inconsistent */
    LITTLE_ABOVE,   /* more calls than possible: the figures are inconsistent */
    LITTLE_UNKNOWN, /* off by more than LITTLE_TOLERANCE, but measured only once */
};

#define LITTLE_TOLERANCE 0.02 /* at most this share of calls is cut off at the ends of a window */

struct little {
    struct interval discrepancy; /* throughput x (response + turn-around) / concurrency - 1 */
    enum little_verdict verdict;
};

/* Check Little's law at POINT, in each unit. Returns 0, -EINVAL for invalid figures (as
 * load_points_check()), or -ENOMEM. */
int load_point_little(const struct load_point *point, struct little *little, struct error *error);

/* "holds", "below", "above", "unknown"; NULL after the last */
extern const char *const little_verdict_names[];

/* The knee: the concurrency at which the two asymptotic bounds on throughput cross, N / R_min (no
 * call waits for another) and X_max (some resource is always busy). With fewer than X_max x R_min
 * calls in flight the system has spare capacity; with more, calls queue (Lazowska et al., section
 * 5.2). */
struct knee {
    /* Where the throughput still grew at the end of the sweep, the statement is one-sided: the knee
     * is not below LOW, and HIGH is INFINITY. */
    struct interval concurrency;
    struct interval throughput_maximum; /* calls per second: the level of the point with the highest
                                           throughput */
    /* ns: the level of the point with the shortest response time. */
    struct interval response_minimum;
    bool lower_bound; /* the throughput still grew at the end of the sweep */
};

/* The throughput still grows if its elasticity at the end of the sweep, d ln X / d ln N, exceeds
 * this: the elasticity is 1 if it grows in proportion, 0 if it is constant. */
#define KNEE_ELASTICITY_LEVEL 0.25

/* Of COUNT points, with at least 2 concurrencies. */
bool load_points_grow(const struct load_point *points, size_t count);

/* Find the knee from COUNT points, in any order, with at least 2 concurrencies. The points with the
 * highest throughput and the shortest response time are chosen once, by their levels, and all fits
 * keep them: choosing again without a unit would select extremes twice. Returns 0; -EINVAL as
 * load_points_check(); -ENODATA for too few concurrencies; or -ENOMEM. */
int load_point_knee(const struct load_point *points, size_t count, struct knee *knee,
                    struct error *error);

/* The number of different concurrencies among COUNT points. */
size_t load_point_concurrencies(const struct load_point *points, size_t count);

/* 0, or -EINVAL with ERROR set for a concurrency below 1, another figure not above 0, or different
 * numbers of repeats of a point's quantities. */
int load_points_check(const struct load_point *points, size_t count, struct error *error);
