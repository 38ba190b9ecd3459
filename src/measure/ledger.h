/* The ledger: what a call costs in interrupts, context switches, packets and processor time, from
 * the kernel's counters.
 *
 * The counters are read around stretches of calls of one op, made for the purpose and timed for
 * nothing else: reading /proc takes some hundred microseconds and cools the caches, and would be
 * felt by the timed blocks. Stretches of every op take turns with idle ones in several passes; what
 * the idle machine counts in the same time is taken off; and the median over the passes is
 * reported, so that a passing disturbance is not (the mean, of user, system and stolen time, which
 * the kernel counts in ticks). */
#ifndef NFSBENCH_MEASURE_LEDGER_H
#define NFSBENCH_MEASURE_LEDGER_H

#include <stdbool.h>

#include "measure/counters.h"

enum { LEDGER_PASSES = 11 };

/* A stretch between two readings. */
struct ledger_stretch {
    struct counters before, after;
    uint64_t calls; /* made between them; 0: idle */
};

/* Per call, or, of an idle stretch, per ns. NAN: unknown. */
struct ledger_entry {
    double values[COUNTERS];
    struct interface_counters
        interfaces[COUNTERS_INTERFACES_MAXIMUM]; /* that were there all along */
    size_t interface_count;
    /* Other work on the machine counted so much that what the calls did can't be told from it:
     * figures of the machine are unknown for that. */
    bool disturbed;
};

/* What an idle machine counts per ns: the medians over N idle stretches (at most LEDGER_PASSES). */
void ledger_background(struct ledger_entry *background, const struct ledger_stretch *idle,
                       size_t n);

/* What a call counts: the medians over N stretches, less BACKGROUND's share (NULL: nothing is taken
 * off). A counter that ran backwards in a stretch (a thread ended) is not known from it; one of
 * which more than a quarter would be taken off is not known at all, unless it is next to nothing.
 */
void ledger_per_call(struct ledger_entry *entry, const struct ledger_stretch *stretches, size_t n,
                     const struct ledger_entry *background);

#endif
