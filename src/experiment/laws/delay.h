/* Effect of a network's delay on calls: how many round trips an op needs, and at which delay its
 * rate is half as high. Pure functions. */
#pragma once

#include "experiment/laws/jackknife.h"

/* Measurements over one link: a time and a rate of each unit of the experiment. */
struct delay_point {
    double one_way_ns;
    struct repeats typical; /* typical time of a call, ns */
    struct repeats rate;    /* calls per second */
};

struct delay_effect {
    struct interval round_trips; /* number of round trips in a call */
    double least_ns, most_ns;    /* shortest and longest delay that was measured */
    /* One-way delay at which the rate is half the rate at LEAST_NS; NAN if it is beyond MOST_NS.
     * HIGH may be beyond MOST_NS, up to 1000 times ("never"). */
    struct interval half_ns;
};

/* Sort COUNT POINTS by delay, and fit EFFECT. The points are of one op and load over links of
 * different delays. For each round trip in a call, the typical latency grows by two one-way delays,
 * so the slope of a least squares line is twice the number of round trips. The number is below 1 if
 * calls queue at the server, because the delay passes during the wait.
 *
 * Between two delays, the time between calls (1 / rate) is interpolated, not the rate's logarithm,
 * because this time is linear in the delay. So a call of 20 us with one round trip has half its
 * rate at a delay of 10 us each way (20 + 2 x 10 = 40), even if only 0 and 200 us were measured.
 * With the logarithm, the result would be 46 us.
 *
 * Returns 0, -EINVAL for fewer than two links or two links of equal delay, or -ENOMEM. */
int delay_fit(struct delay_effect *effect, struct delay_point *points, size_t count,
              struct error *error);
