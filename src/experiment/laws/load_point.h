/* A point of a sweep over concurrency: the calls in flight, the throughput and the response time;
 * and two laws that relate them in any system (Lazowska, Zahorjan, Graham and Sevcik, "Quantitative
 * System Performance", 1984). */
#pragma once

#include <stdbool.h>

#include "experiment/laws/jackknife.h"

struct load_point {
    double concurrency;         /* calls in flight: clients x connections x depth; at least 1 */
    struct repeats throughput;  /* calls per second, above 0 */
    struct repeats response_ns; /* response time, above 0; one for each value of THROUGHPUT */
    /* Mean time from a reply to the next call, ns, at least 0. There are as many repeats as in
     * THROUGHPUT, or none if the time is unknown. */
    struct repeats turn_around_ns;
};

/* Whether Little's law holds at a point: concurrency = throughput x (response time + turn-around).
 * In a closed loop the law must hold. An unknown turn-around counts as 0. */
enum little_verdict {
    LITTLE_HOLDS, /* the discrepancy is within the noise or LITTLE_TOLERANCE */
    /* Fewer calls were in flight than requested. If the turn-around is unknown, calls waited for
     * the client; otherwise the figures are inconsistent. */
    LITTLE_BELOW,
    LITTLE_ABOVE,   /* more calls were in flight than requested: inconsistent figures */
    LITTLE_UNKNOWN, /* the discrepancy exceeds LITTLE_TOLERANCE, but there is only one unit */
};

/* Largest discrepancy that counts as 0. Such discrepancies are normal, because the beginning and
 * the end of a measurement cut off calls. */
#define LITTLE_TOLERANCE 0.02

struct little {
    struct interval discrepancy; /* throughput x (response + turn-around) / concurrency - 1 */
    enum little_verdict verdict;
};

/* Check Little's law at POINT, over its units. Returns 0, -EINVAL for invalid figures
 * (load_points_check()), or -ENOMEM. */
int load_point_little(const struct load_point *point, struct little *little, struct error *error);

extern const char *const little_verdict_names[];

/* The knee: the concurrency at which two bounds on throughput cross: N / R_min (no call waits for
 * another) and X_max (a resource is always busy). With fewer calls in flight than X_max x R_min,
 * there is spare capacity; with more, calls queue (Lazowska et al., section 5.2). */
struct knee {
    /* If the throughput still grew at the sweep's end, LOW is a lower bound, HIGH is INFINITY. */
    struct interval concurrency;
    /* Throughput of the point with the highest throughput, calls per second. */
    struct interval throughput_maximum;
    /* Response time of the point with the shortest response time, ns. */
    struct interval response_minimum;
    bool lower_bound; /* the throughput still grew at the end of the sweep */
};

/* Elasticity of the throughput, d ln X / d ln N, above which the throughput still grows at the end
 * of the sweep: 1 means in proportion, 0 not at all. */
#define KNEE_ELASTICITY_LEVEL 0.25

/* Return whether throughput still grows at the end of COUNT points (2 concurrencies or more). */
bool load_points_grow(const struct load_point *points, size_t count);

/* Find the knee of COUNT points, in any order, with at least 2 concurrencies. The points with the
 * highest throughput and the shortest response time are chosen once, by their levels, and kept in
 * all fits of the jackknife, because a new choice in each fit would select extremes twice. Returns
 * 0, -EINVAL as load_points_check(), -ENODATA for fewer than 2 concurrencies, or -ENOMEM. */
int load_point_knee(const struct load_point *points, size_t count, struct knee *knee,
                    struct error *error);

size_t load_point_concurrencies(const struct load_point *points, size_t count);

/* Check COUNT points. Returns 0, or -EINVAL with ERROR set for a concurrency below 1, a throughput
 * or response time that is missing or not above 0, or different numbers of repeats in one point. */
int load_points_check(const struct load_point *points, size_t count, struct error *error);
