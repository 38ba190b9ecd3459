/* Numbers as people type them. All functions take a complete, null-terminated word. They return 0,
 * -EINVAL if the word is not a number of this form, or -ERANGE if the result does not fit into 64
 * bits. A word with a unit or a point whose digits alone do not fit is -EINVAL, too. Fractions are
 * allowed if the result is a whole number: 1.5k is 1500. */
#pragma once

#include <stdint.h>

/* Parse a count: k (or K), M, G are powers of 1000; Ki, Mi, Gi powers of 1024. */
int units_parse_count(const char *text, uint64_t *count);

/* Parse a size in bytes (B, or no unit): k, M, G (or K, m, g) and Ki, Mi, Gi, KiB, MiB, GiB are
 * powers of 1024; kB (or KB), MB, GB are powers of 1000. */
int units_parse_size(const char *text, uint64_t *bytes);

/* Parse a time with its unit (ns, us, ms, s, min, h) into nanoseconds. Only 0 needs no unit. */
int units_parse_time(const char *text, uint64_t *nanoseconds);
