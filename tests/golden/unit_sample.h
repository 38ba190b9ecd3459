/* Samples of the kinds of results that units make, each in its unit's tests/sample.c. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/kind.h"
#include "output/result/result.h"

/* sample_OUTAGE() and so on: a small result of the kind RESULT_OUTAGE, in memory that the next call
 * uses again: with as little as it can have, or, if FULL, with all that it can have (NULL: recorded
 * results have that). */
#define DECLARED(KIND, key, name) const void *sample_##KIND(bool full);

UNIT_KINDS(DECLARED)

#undef DECLARED

/* The same of a run in which no call was measured; NULL: the kind has no such sample. */
#define DECLARED(KIND, key, name) const void *empty_##KIND(void) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* What its command can print below the text of a result, if it is asked to; NULL: nothing. */
#define DECLARED(KIND, key, name)                                                                  \
    void print_below_##KIND(const void *result, FILE *out) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Print RESULT in another way than its view, -v if VERBOSE. False: not this one. NULL: none is. */
#define DECLARED(KIND, key, name)                                                                  \
    bool print_whole_##KIND(const void *result, bool verbose, FILE *out) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* Set in RESULT, which was read from a recorded file, what files don't have. NULL: files of the
 * kind are not written again. */
#define DECLARED(KIND, key, name) void complete_##KIND(void *result) __attribute__((weak));

UNIT_KINDS(DECLARED)

#undef DECLARED

/* A measurement that results of other kinds contain, as full as the samples that are made; and one
 * that is as bare as it can be. */
const struct result *sample_run(void), *sample_bare_run(void);
