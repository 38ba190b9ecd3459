/* What a network's delay does to calls: how many round trips an op needs, and the delay at which
 * the rate has halved. Pure. */
#pragma once

#include "experiment/laws/jackknife.h"

/* Calls over a link, in the units of an experiment. */
struct delay_point {
    double one_way_ns;
    struct repeats typical; /* ns, of a call */
    struct repeats rate;    /* calls per second */
};

struct delay_effect {
    struct interval round_trips; /* a call */
    double least_ns, most_ns;    /* the delays that it was measured with */
    struct interval half_ns;     /* over which the rate is half of that over LEAST_NS; NAN: beyond
                                    MOST_NS */
};

/* Fit COUNT points of the same op and load over links of different delays, which it sorts by delay:
 * the typical latency grows by two delays with every round trip that a call waits for, so the slope
 * of a straight line (least squares) is twice their number. It is less than one where calls wait
 * for one another at the server, and the delay passes meanwhile.
 *
 * Between two delays the time between calls, 1 / rate, is interpolated and not the logarithm of the
 * rate: it grows in proportion to the delay, or not at all while the calls in flight hide it. So a
 * call of 20 us has half its rate at 10 us even if only 0 and 200 us were measured, where the
 * logarithm says 46 us, and nothing at all on a logarithmic scale of delays.
 *
 * Returns 0, -EINVAL for fewer than two links or two of the same delay (which differ in something
 * else, then), or what jackknife_make() returns. */
int delay_fit(struct delay_effect *effect, struct delay_point *points, size_t count,
              struct error *error);
