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
 * the other. Calibrate the processor's counter, and check whether its rate is constant (if not, the
 * system's clock is used); takes about 10 ms, once. */
void spin_calibrate(void);

/* Keep the processor busy for NANOSECONDS, which includes reading the counter: exact to one
 * reading, about 20 ns, and never shorter. 0 costs only the readings, some 20 ns, so that calls
 * with and without an injected cost differ by exactly that cost. */
void spin_for(uint64_t nanoseconds);

/* The counter that spinning uses, and the duration of TICKS of it in ns. */
uint64_t spin_ticks(void);
double spin_ticks_ns(uint64_t ticks);
