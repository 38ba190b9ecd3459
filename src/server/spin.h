/* Time as the server counts it: spending a known one, which is what an injected cost is made of,
 * and measuring how long something took. Apart from the client's clock, so that the one can be
 * checked against the other. */
#ifndef NFSBENCH_SERVER_SPIN_H
#define NFSBENCH_SERVER_SPIN_H

#include <stdint.h>

/* Find out how fast the processor's counter runs, and whether it runs evenly (if not, the system's
 * clock serves); takes about 10 ms, once. */
void spin_calibrate(void);

/* Keep the processor busy for NANOSECONDS, which includes reading the counter: exact to one
 * reading, about 20 ns, and always late rather than early. 0 costs only the readings, some 20 ns:
 * so calls with and without an injected cost differ by exactly that cost. */
void spin_for(uint64_t nanoseconds);

/* The counter that the spinning goes by, and how many ns that many TICKS of it are. */
uint64_t spin_ticks(void);
double spin_ticks_ns(uint64_t ticks);

#endif
