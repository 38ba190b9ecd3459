/* A result as a table for people. */
#ifndef NFSBENCH_OUTPUT_TEXT_H
#define NFSBENCH_OUTPUT_TEXT_H

#include <stdio.h>

#include "output/result.h"

/* Print RESULT to OUT; with VERBOSE, all that is known of each op and of the machine, too. */
void text_print(const struct result *result, bool verbose, FILE *out);

/* Print each op's latencies by powers of two, with bars. */
void text_print_histograms(const struct result *result, FILE *out);

#endif
