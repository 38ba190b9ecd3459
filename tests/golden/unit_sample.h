/* Samples of the kinds of results that units make. Each is in its unit's tests/sample.c. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/kind.h"
#include "output/result/result.h"

/* sample_OUTAGE() and so on return a small result of the kind RESULT_OUTAGE, in memory that the
 * next call uses again. FULL: with everything that it can have, or NULL if recorded results have
 * that; else with as little as possible. */
#define DECLARED(KIND, key, name) const void *sample_##KIND(bool full);

UNIT_KINDS(DECLARED)

#undef DECLARED

/* empty_OUTAGE() returns a result of a run that measured no call. NULL: the kind has no such
 * sample. */
#define DECLARED(KIND, key, name) const void *empty_##KIND(void) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Print what the command can print below the text of RESULT on request. NULL: nothing. */
#define DECLARED(KIND, key, name)                                                                  \
    void print_below_##KIND(const void *result, FILE *out) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Print RESULT in another way than by its view, with VERBOSE as for -v. Returns false if this
 * RESULT has no such way. NULL: no result of the kind has one. */
#define DECLARED(KIND, key, name)                                                                  \
    bool print_whole_##KIND(const void *result, bool verbose, FILE *out) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Set the members of RESULT, which was read from a recorded file, that files don't have. NULL:
 * files of the kind are not written again. */
#define DECLARED(KIND, key, name) void complete_##KIND(void *result) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Measurements that results of other kinds contain: one as full as the made samples, and one as
 * bare as possible. */
const struct result *sample_run(void), *sample_bare_run(void);
