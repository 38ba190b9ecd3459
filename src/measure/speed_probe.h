/* Is the client's core its own? Under a hypervisor another machine's work may run on the same
 * core's second thread, which steal time does not show. It takes from the core's units, not from
 * its clock: so each round a loop that is bound by how many additions the core makes at a time is
 * timed, and beside it a chain of multiplications of which each waits for the one before. Where the
 * first slows down against the second, somebody else adds. It takes some 10 us. */
#ifndef NFSBENCH_MEASURE_SPEED_PROBE_H
#define NFSBENCH_MEASURE_SPEED_PROBE_H

#include <stddef.h>

enum { SPEED_PROBE_ROUNDS = 4096 }; /* that are kept; later ones take a random one's place */

struct speed_probe {
    double ratios[SPEED_PROBE_ROUNDS]; /* time of the additions over that of the chain */
    size_t taken;
};

/* Time both loops, on the processor that the caller runs on. */
void speed_probe_take(struct speed_probe *probe);

/* The share of what was taken in which the core was slower than SPEED_PROBE_SLOW times its quickest
 * (the 5th percentile); 0 for fewer than 20. What lasts from the first round to the last is not
 * seen: there is nothing to hold it against. */
double speed_probe_shared(const struct speed_probe *probe);

#define SPEED_PROBE_SLOW 1.25

#endif
