/* Does the client have its core to itself? Under a hypervisor another machine may run on the core's
 * second hardware thread, which steal time does not show. It competes for the core's execution
 * units, but does not slow its clock. So each round times two loops: one limited by the number of
 * additions that the core executes in parallel, and one chain of dependent multiplications. If the
 * first becomes slower relative to the second, another thread uses the core. A probe takes about 10
 * us. */
#pragma once

#include <stddef.h>

enum { SPEED_PROBE_ROUNDS = 4096 }; /* kept at most; later ones replace earlier ones */

/* How long the loops took, ns. */
struct speed_probe {
    double additions[SPEED_PROBE_ROUNDS], multiplications[SPEED_PROBE_ROUNDS];
    size_t taken;
};

/* Time both loops on the caller's current processor. */
void speed_probe_take(struct speed_probe *probe);

/* The share of probes whose ratio exceeds SPEED_PROBE_SLOW times the fastest one (the 5th
 * percentile); 0 with fewer than 20 probes, or without PROBE (NULL). Sharing that lasts for the
 * whole run is not detected, since there is nothing to compare it with. */
double speed_probe_shared(const struct speed_probe *probe);

#define SPEED_PROBE_SLOW 1.25

/* How fast the core was: the medians of the probes, ns. */
struct core_speed {
    double additions, multiplications; /* NAN: not known */
};

/* That of PROBE; not known with fewer than 20 probes, or where it is NULL. */
struct core_speed speed_probe_levels(const struct speed_probe *probe);
