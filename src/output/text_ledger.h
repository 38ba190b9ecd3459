/* The ledger as tables for people: per call, per second, and the slowest calls. */
#ifndef NFSBENCH_OUTPUT_TEXT_LEDGER_H
#define NFSBENCH_OUTPUT_TEXT_LEDGER_H

#include <stdio.h>

#include "output/result.h"

/* What each op takes per call, and where the server's side is not known, why. */
void text_print_ledger(const struct result *result, FILE *out);

/* The same as rates: what the machines were doing while an op was measured. */
void text_print_rates(const struct result *result, FILE *out);

/* Each op's slowest calls, and what was going on around them. */
void text_print_slowest(const struct result *result, FILE *out);

#endif
