/* Does the client have its core to itself? Under a hypervisor, another machine may run on the
 * core's second hardware thread, which steal time does not show. That machine uses the core's
 * execution units, but does not slow the core's clock. So each round times two loops: one is
 * limited by the number of additions that the core executes in parallel, the other is a chain of
 * dependent multiplications. If the additions become slower relative to the multiplications,
 * another thread uses the core. A probe takes about 10 us. */
#pragma once

#include <stddef.h>

enum { SPEED_PROBE_ROUNDS = 4096 }; /* number of probes kept; later probes replace earlier probes */

/* How long the loops took in each probe, ns. */
struct speed_probe {
    double additions[SPEED_PROBE_ROUNDS], multiplications[SPEED_PROBE_ROUNDS];
    size_t taken;
};

/* Time both loops on the caller's current processor. */
void speed_probe_take(struct speed_probe *probe);

/* Return the share of probes whose ratio of additions to multiplications exceeds SPEED_PROBE_SLOW
 * times the 5th percentile of the ratios; 0 with fewer than 20 probes, or if PROBE is NULL. Sharing
 * that lasts for the whole run is not detected. */
double speed_probe_shared(const struct speed_probe *probe);

#define SPEED_PROBE_SLOW 1.25

/* The speed of the core: the medians of the probes, ns. */
struct core_speed {
    double additions, multiplications; /* NAN: unknown */
};

/* Return the core's speed; NAN with fewer than 20 probes, or if PROBE is NULL. */
struct core_speed speed_probe_levels(const struct speed_probe *probe);
