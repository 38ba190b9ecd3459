/* The time that waiting and durations of whole steps are measured by; measure/clock.h times calls.
 */
#ifndef NFSBENCH_COMMON_MONOTONIC_H
#define NFSBENCH_COMMON_MONOTONIC_H

#include <stdint.h>

/* CLOCK_MONOTONIC, in ns. */
uint64_t monotonic_ns(void);

#endif
