/* Numbers as people type them. Every function takes a complete, null-terminated word and returns 0,
 * -EINVAL if it is not such a number, or -ERANGE if it does not fit into 64 bits. Fractions are
 * allowed if the suffix makes the result a whole number: 1.5k is 1500. */
#pragma once

#include <stdint.h>

/* A count: k, M, G are powers of 1000; Ki, Mi, Gi powers of 1024. */
int units_parse_count(const char *text, uint64_t *count);

/* A size in bytes, as fio, dd and head read it: k, M, G (or K, m, g) and Ki, Mi, Gi, KiB, MiB, GiB
 * are powers of 1024; kB, MB, GB are powers of 1000. */
int units_parse_size(const char *text, uint64_t *bytes);

/* A time in nanoseconds; the unit (ns, us, ms, s, min) is required, except for 0. */
int units_parse_time(const char *text, uint64_t *nanoseconds);
