/* The service time of a procedure: the time that the server itself measures, from the request in
 * user space until the reply is ready to be sent. Receiving and sending are not included. The spin
 * functions spend a known time on purpose. */
#pragma once

#include <stdint.h>

#include "measure/histogram.h"

/* Service times of a procedure's calls. Zeroed, there are no calls. */
struct service_time {
    struct histogram histogram;     /* distribution of the service times, in ns */
    double sums[HISTOGRAM_BUCKETS]; /* sum of each bucket's values, ns, for the trimmed mean */
};

void service_time_record(struct service_time *time, double nanoseconds);

void service_time_add(struct service_time *sum, const struct service_time *added);

/* Return the mean without the fastest and the slowest tenth of the calls, in ns; 0 if there are no
 * calls. If only some calls of a bucket are omitted, the rest count as the mean of the bucket. The
 * client's estimates omit the same tenths. */
double service_time_trimmed_mean(const struct service_time *time);

/* The server's clock, by which service times are measured and known times are spent. It is
 * calibrated apart from the client's clock, so that each can be checked against the other. The
 * clock is the x86 counter (TSC) if its rate is constant, else CLOCK_MONOTONIC_RAW. */
struct spin_clock {
    double ticks_per_ns;
    uint64_t reading; /* ticks from one reading of the clock to the next, at least 1 */
    /* ticks that spin_for() takes before its first and after its last reading of the clock */
    double overhead;
};

/* Calibrate the clock of spin_for(). This takes more than 10 ms. Returns the clock. No other thread
 * may use the clock meanwhile. */
const struct spin_clock *spin_calibrate(void);

/* Keep the processor busy for NANOSECONDS, which includes reading the clock. The shortest time is
 * spin_least_ns(). A single call's time is exact to one reading of the clock; the mean of many
 * calls is exact. */
void spin_for(uint64_t nanoseconds);

/* A spin of NANOSECONDS reads CLOCK again and again. STARTED is its first reading. Return after how
 * many ticks since STARTED the spin may end; at least 0. The spin notices its end up to one reading
 * late. To make the mean exact, the result is reduced by a pseudo-random part of READING, computed
 * from STARTED. */
uint64_t spin_ticks_between(const struct spin_clock *clock, uint64_t nanoseconds, uint64_t started);

/* Return the shortest time in ns that spin_for() can spend: the overhead and one reading. */
uint64_t spin_least_ns(const struct spin_clock *clock);

/* spin_ticks() returns the counter that spin_for() uses; spin_ticks_ns() converts TICKS of the
 * counter to ns. */
uint64_t spin_ticks(void);
double spin_ticks_ns(uint64_t ticks);
