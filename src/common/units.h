/* Numbers as people type them. Every function takes a whole, null-terminated word and returns 0,
 * -EINVAL for what is not such a number, or -ERANGE for one that does not fit in 64 bits.
 * Fractions are allowed where the result is whole after the suffix: 1.5k is 1500. */
#ifndef NFSBENCH_COMMON_UNITS_H
#define NFSBENCH_COMMON_UNITS_H

#include <stdint.h>

/* A count: k, M, G are powers of 1000; Ki, Mi, Gi powers of 1024. */
int units_parse_count(const char *text, uint64_t *count);

/* A size in bytes: as a count, with an optional B at the end (4096, 4KiB, 64Ki, 1MB). */
int units_parse_size(const char *text, uint64_t *bytes);

/* A time in nanoseconds; the unit (ns, us, ms, s, min) must be given, but for 0. */
int units_parse_time(const char *text, uint64_t *nanoseconds);

#endif
