/* The server's clock: spending a known time, as an injected cost does, and measuring how long
 * something took. It is separate from the client's clock, so that each can be checked against the
 * other. */
#ifndef NFSBENCH_SERVER_SPIN_H
#define NFSBENCH_SERVER_SPIN_H

#include <stdint.h>

/* Calibrate the processor's counter, and check whether its rate is constant (if not, the system's
 * clock is used); takes about 10 ms, once. */
void spin_calibrate(void);

/* Keep the processor busy for NANOSECONDS, which includes reading the counter: exact to one
 * reading, about 20 ns, and never shorter. 0 costs only the readings, some 20 ns, so that calls
 * with and without an injected cost differ by exactly that cost. */
void spin_for(uint64_t nanoseconds);

/* The counter that spinning uses, and the duration of TICKS of it in ns. */
uint64_t spin_ticks(void);
double spin_ticks_ns(uint64_t ticks);

#endif
