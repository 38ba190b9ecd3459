/* What no view shows: histograms as bars. */
#pragma once

#include <stdio.h>

#include "output/result.h"

/* Print each op's latencies by powers of two, with bars. */
void text_print_histograms(const struct result *result, FILE *out);
