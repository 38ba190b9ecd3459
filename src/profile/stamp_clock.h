/* Finds the tick of the clock that set a capture's timestamps. If that clock counts timer
 * interrupts (100, 250 or 1,000 per second), timestamps differ by whole ticks, and many replies
 * have the same timestamp as their call. */
#pragma once

#include <stdint.h>

struct stamp_clock {
    uint64_t last;   /* timestamp of the last packet added, ns since 1970; 0 for none */
    uint64_t gaps;   /* number of gaps: differences, other than 0, of successive timestamps */
    uint64_t common; /* greatest common divisor of the gaps, ns */
    uint64_t kinds;  /* bit N % 64: a gap was N times COMMON since COMMON changed last */
    /* FITS counts gaps of one to four approximate ticks (SUM / STEPS), within a tenth of a tick.
     * SUM is their total length in ns, and STEPS their total number of ticks. MISFITS counts other
     * gaps of up to four ticks. A gap shorter than 0.9 ticks restarts all four members. */
    double sum, steps;
    uint64_t fits, misfits;
    uint64_t latencies, zeros; /* number of latencies, and of latencies that are 0 */
};

/* Add the packet's timestamp TIME, in ns since 1970. */
void stamp_clock_add_packet(struct stamp_clock *clock, uint64_t time);

/* Add the time from a call to its reply, ns. */
void stamp_clock_add_latency(struct stamp_clock *clock, uint64_t ns);

/* Return the clock's tick in ns; 0 if it is shorter than 0.1 ms, or not found. */
double stamp_clock_tick(const struct stamp_clock *clock);

/* Return NS rounded to a multiple of TICK, in the same unit; NS itself if TICK is 0. */
double stamp_clock_round(double ns, double tick);
