/* Samples of the kinds of results that units make. Each sample is in its unit's tests/sample.c. A
 * unit that does not define one of the weak functions leaves its address NULL. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/kind.h"
#include "output/result/result.h"

/* Return a small result of the kind, in memory that the next call uses again. If FULL, the result
 * has everything that results of the kind can have; NULL is returned if a recorded result has
 * everything. If not FULL, the result has as little as possible. */
#define DECLARED(KIND, key, name) const void *sample_##KIND(bool full);

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Return a result of a run that measured no call. */
#define DECLARED(KIND, key, name) const void *empty_##KIND(void) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Print the table that the command prints, on request, below the text of RESULT. */
#define DECLARED(KIND, key, name)                                                                  \
    void print_below_##KIND(const void *result, FILE *out) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Print RESULT by the unit's own code instead of its view; VERBOSE: as with -v. Returns true, or
 * false without output if the view must print RESULT. */
#define DECLARED(KIND, key, name)                                                                  \
    bool print_whole_##KIND(const void *result, bool verbose, FILE *out) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* After RESULT was read from a recorded file, set its members that a file can't contain. If a kind
 * lacks this function, its files are not written again. */
#define DECLARED(KIND, key, name) void complete_##KIND(void *result) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* sample_run() returns the measurement that results of other kinds contain: the full one while
 * full samples are made, else the bare one. sample_bare_run() always returns the bare one. */
const struct result *sample_run(void), *sample_bare_run(void);
