/* What no view shows: histograms as bars. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/result.h"

struct text_histogram {
    const char *name;
    const struct histogram *histogram; /* NULL: none */
};

enum { TEXT_HISTOGRAMS_BESIDE = 3 }; /* that fit 80 columns */

/* Print the latencies of COUNT histograms (1 to TEXT_HISTOGRAMS_BESIDE) beside each other, by
 * powers of two ns, with bars for the shares of each one's calls; TITLE heads the times. False, and
 * nothing is printed, where none has a call. */
bool text_print_beside(const char *title, const struct text_histogram *histograms, size_t count,
                       FILE *out);

/* Likewise those of all ops but the null control, as many beside each other as fit. */
void text_print_histograms(const struct result *result, FILE *out);
