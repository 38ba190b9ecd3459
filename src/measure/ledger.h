/* The ledger: interrupts, context switches, packets and processor time per call, from the kernel's
 * counters.
 *
 * The counters are read before and after a stretch of calls of one op. Stretches are separate from
 * the timed blocks, because reading /proc takes some hundred microseconds and cools the caches. In
 * several passes, stretches of every op alternate with idle stretches, and the counts of the idle
 * machine in the same time are subtracted. The result is the median over the passes, which a brief
 * disturbance does not affect; for the coarse counters it is the mean. */
#pragma once

#include <stdbool.h>

#include "measure/counters.h"

enum { LEDGER_PASSES = 11 };

/* The calls between two readings of the counters. */
struct ledger_stretch {
    struct counters before, after;
    uint64_t calls; /* number of calls between the readings; 0: the machine was idle */
};

/* Counts per call; for the idle background, counts per ns. NAN: unknown. */
struct ledger_entry {
    double values[COUNTERS];
    /* network interfaces that existed when the first stretch began */
    struct interface_counters interfaces[COUNTERS_INTERFACES_MAXIMUM];
    size_t interface_count;
    /* True if other work contributed so much to a counter that the calls' own count is unknown. */
    bool disturbed;
};

/* Set BACKGROUND to the idle machine's counts per ns: medians over N stretches (LEDGER_PASSES at
 * most), or means for coarse counters. */
void ledger_background(struct ledger_entry *background, const struct ledger_stretch *idle,
                       size_t n);

/* Set ENTRY to the counts per call, less BACKGROUND (NULL: none): medians over N stretches
 * (LEDGER_PASSES at most), or means for coarse counters. If a counter decreased in a stretch,
 * because a thread ended, the stretch is ignored for that counter. Counts below 0 become 0. If
 * BACKGROUND is over a quarter of a whole count and not negligible, ENTRY is disturbed, and the
 * count is NAN. Coarse counters are exempt from this test. */
void ledger_per_call(struct ledger_entry *entry, const struct ledger_stretch *stretches, size_t n,
                     const struct ledger_entry *background);
