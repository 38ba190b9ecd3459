/* What no view shows: histograms as bars, and the ranks of a measurement. */
#pragma once

#include <stdio.h>

#include "output/result.h"

/* Print each op's latencies by powers of two, with bars. */
void text_print_histograms(const struct result *result, FILE *out);

/* Print the ranks that made it, if there are any. */
void text_print_ranks(const struct result *result, FILE *out);
