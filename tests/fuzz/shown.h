/* What the targets of result files have in common: all forms of a result and of a comparison, and
 * that these are safe for a terminal, whatever the files contain. */
#pragma once

#include <stdio.h>

#include "output/compare.h"
#include "output/result.h"

/* Write PAIR, which was compared, to OUT in all forms of a comparison. */
void shown_comparison(struct compare_pair *pair, FILE *out);

/* Show RESULT, and write it in all forms of a measurement. */
void shown_result(const struct result *result, FILE *out);

/* Abort if TEXT has what a terminal must not get. */
void shown_must_be_harmless(const char *text);
