/* Finds the resolution of a capture's timestamps. If the clock counts timer interrupts (100, 250 or
 * 1,000 a second), timestamps differ by whole ticks, and many replies have the same time as their
 * call. */
#pragma once

#include <stdint.h>

/* Must be zeroed before the first packet. */
struct stamp_clock {
    uint64_t last;   /* timestamp of the latest packet, ns; 0 for none */
    uint64_t gaps;   /* number of gaps between packets with different timestamps */
    uint64_t common; /* greatest common divisor of the gaps, ns */
    uint64_t kinds;  /* bit n % 64 is set if a gap was n times COMMON */
    /* The approximate tick is SUM / STEPS: total length (ns) and total ticks of the gaps that fit:
     * gaps of one to four ticks, within a tenth of a tick. FITS counts these gaps, and MISFITS
     * other gaps of up to four ticks. A gap shorter than 0.9 ticks restarts all four members. */
    double sum, steps;
    uint64_t fits, misfits;
    uint64_t latencies, zeros; /* number of latencies; number of latencies that are 0 */
};

/* Add the timestamp TIME of a packet, ns. */
void stamp_clock_add_packet(struct stamp_clock *clock, uint64_t time);

/* Add the time from a call to its reply, ns. */
void stamp_clock_add_latency(struct stamp_clock *clock, uint64_t ns);

/* Return the length of a tick in ns; 0 if it is less than 0.1 ms, or there is too little data. */
double stamp_clock_tick(const struct stamp_clock *clock);

/* Return NS rounded to whole ticks of length TICK; NS itself if TICK is 0. */
double stamp_clock_round(double ns, double tick);
