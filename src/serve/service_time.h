/* How long the server takes for a procedure: a time that it spends on purpose, and the time that it
 * measures itself, from the request in user space to the reply that is ready to be sent. Receiving
 * and sending are not included. */
#pragma once

#include <stdint.h>

#include "measure/histogram.h"

/* Zeroed, it is empty. */
struct service_time {
    struct histogram histogram;     /* ns */
    double sums[HISTOGRAM_BUCKETS]; /* of the values in each bucket, to be exact even if the buckets
                                       are wide */
};

/* Count one call of NANOSECONDS. */
void service_time_record(struct service_time *time, double nanoseconds);

/* Add the counts of ADDED to SUM. */
void service_time_add(struct service_time *sum, const struct service_time *added);

/* The mean without the fastest and the slowest tenth of the calls, in ns (exact except for the two
 * buckets that are divided); 0 if there are no calls. The client's estimates use means that are
 * trimmed in the same way. */
double service_time_trimmed_mean(const struct service_time *time);

/* The server's clock, for spending a known time, as an injected cost does, and for measuring how
 * long something took. It is separate from the client's clock, so that each can be checked against
 * the other. It is the processor's counter if that has a constant rate, otherwise the system's. */
struct spin_clock {
    double ticks_per_ns;
    uint64_t reading; /* ticks from one reading to the next, at least 1 */
    double overhead;  /* ticks that spin_for() takes besides those from its first reading to its
                         last */
};

/* Calibrate the clock of spin_for(), on the processor that the thread runs on; returns it. Takes
 * about 15 ms, once, before other threads use the clock. */
const struct spin_clock *spin_calibrate(void);

/* Keep the processor busy for NANOSECONDS (at least spin_least_ns(); less takes that time), reading
 * the clock included: exact in the mean of many calls, each to one reading. */
void spin_for(uint64_t nanoseconds);

/* The ticks of CLOCK that must pass from a first reading, whose result was STARTED, to the last
 * one, for a spin of NANOSECONDS. The last reading is late by between nothing and one reading, so
 * this is less by a part of a reading that STARTED chooses, and the mean is exact. */
uint64_t spin_ticks_between(const struct spin_clock *clock, uint64_t nanoseconds, uint64_t started);

/* The shortest time that can be spent, in ns: the overhead and one reading. */
uint64_t spin_least_ns(const struct spin_clock *clock);

/* The counter that spinning uses, and the duration of TICKS of it in ns. */
uint64_t spin_ticks(void);
double spin_ticks_ns(uint64_t ticks);
