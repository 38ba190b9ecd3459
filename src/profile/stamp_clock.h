/* The clock that timestamped a capture's packets. Where it is read from a counter of timer
 * interrupts (100, 250 or 1,000 a second), timestamps are whole numbers of ticks apart, and many
 * replies have the same timestamp as their calls. */
#pragma once

#include <stdint.h>

/* Zeroed before the first packet. */
struct stamp_clock {
    uint64_t last;   /* timestamp of the latest packet, ns; 0: there was none */
    uint64_t gaps;   /* between packets with different timestamps */
    uint64_t common; /* ns; the greatest common divisor of the gaps between timestamps */
    uint64_t kinds;  /* a bit for each number of common divisors that a gap had, modulo 64 */
    /* The gaps that are one to four of the smallest, within a tenth of it, since that was seen. */
    double sum, steps;
    uint64_t fits, misfits;
    uint64_t latencies, zeros; /* from calls to replies; those of 0 */
};

/* Add the timestamp of a packet, ns. */
void stamp_clock_add_packet(struct stamp_clock *clock, uint64_t time);

/* Add the time from a call to its reply, ns. */
void stamp_clock_add_latency(struct stamp_clock *clock, uint64_t ns);

/* The length of a tick, ns; 0: the clock has none of 0.1 ms or more, or too little was seen. */
double stamp_clock_tick(const struct stamp_clock *clock);

/* NS, rounded to a whole number of ticks of length TICK; NS itself if TICK is 0. */
double stamp_clock_round(double ns, double tick);
