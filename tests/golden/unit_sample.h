/* Samples of the kinds of results that units make. Each sample is in its unit's tests/sample.c. A
 * unit that does not define one of the weak functions leaves its address NULL. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/kind.h"
#include "output/result/result.h"

/* Return a small result of the kind, in memory that the next call uses again. If FULL, it has
 * everything that such a result can have; otherwise, as little as possible. FULL returns NULL if a
 * recorded result has everything. */
#define DECLARED(KIND, key, name) const void *sample_##KIND(bool full);

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Return a result of a run that measured no call. */
#define DECLARED(KIND, key, name) const void *empty_##KIND(void) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Print the table that the command prints below the text of RESULT on request. */
#define DECLARED(KIND, key, name)                                                                  \
    void print_below_##KIND(const void *result, FILE *out) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Print RESULT by the unit's own code instead of its view, with VERBOSE as for -v. Returns false if
 * the view must print this RESULT. */
#define DECLARED(KIND, key, name)                                                                  \
    bool print_whole_##KIND(const void *result, bool verbose, FILE *out) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Set the members of RESULT that a file can't contain, after RESULT was read from a recorded file.
 * Without this function, files of the kind are not written again. */
#define DECLARED(KIND, key, name) void complete_##KIND(void *result) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Return the measurement that results of other kinds contain: a full one, and a bare one. */
const struct result *sample_run(void), *sample_bare_run(void);
