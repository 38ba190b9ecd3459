/* The ledger: interrupts, context switches, packets and processor time per call, from the kernel's
 * counters.
 *
 * The counters are read before and after a stretch of calls of one op that is separate from the
 * timed blocks: reading /proc takes some hundred microseconds and cools the caches, which would
 * disturb them. In several passes, stretches of every op alternate with idle ones, and the counts
 * of the idle machine in the same time are subtracted. The result is the median over the passes,
 * which a brief disturbance does not affect (for user, system and stolen time, which the kernel
 * counts in ticks, it is the mean). */
#pragma once

#include <stdbool.h>

#include "measure/counters.h"

enum { LEDGER_PASSES = 11 };

/* The calls between two readings. */
struct ledger_stretch {
    struct counters before, after;
    uint64_t calls; /* calls made between them; 0: idle */
};

/* Counts per call or, for the background, per ns. NAN: unknown. */
struct ledger_entry {
    double values[COUNTERS];
    struct interface_counters interfaces[COUNTERS_INTERFACES_MAXIMUM]; /* that existed throughout */
    size_t interface_count;
    /* Other work on the machine contributed so much that the calls' part is unknown. */
    bool disturbed;
};

/* Counts of the idle machine per ns: the medians over N idle stretches (at most LEDGER_PASSES). */
void ledger_background(struct ledger_entry *background, const struct ledger_stretch *idle,
                       size_t n);

/* Counts per call: the medians over N stretches, less BACKGROUND's share (NULL: none). A stretch in
 * which a counter decreased (a thread ended) is ignored for that counter. A counter is unknown if
 * its background is more than a quarter of it, unless that background is negligible. */
void ledger_per_call(struct ledger_entry *entry, const struct ledger_stretch *stretches, size_t n,
                     const struct ledger_entry *background);
