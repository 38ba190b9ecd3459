/* What no view shows: histograms as bars. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/result.h"

struct text_histogram {
    const char *name;
    const struct histogram *histogram; /* NULL: none */
};

/* Counts by powers of two ns: bin I is from 2^I to below 2^(I + 1), the first from 0 on; the last
 * has no upper end. */
struct text_bins {
    const char *name;
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS];
};

enum { TEXT_HISTOGRAMS_BESIDE = 3 }; /* that fit 80 columns */

/* Print COUNT (1 to TEXT_HISTOGRAMS_BESIDE) COLUMNS beside each other, with TITLE above the bins:
 * each bin with its count and a bar for its share of the column's calls, those beyond the bins as
 * "overflow", and the "total". False, and nothing is printed, where no column has a call. */
bool text_print_bins(const char *title, const struct text_bins *columns, size_t count, FILE *out);

/* The same for the latencies in HISTOGRAMS. */
bool text_print_beside(const char *title, const struct text_histogram *histograms, size_t count,
                       FILE *out);

/* Likewise those of all ops but the null control, as many beside each other as fit. */
void text_print_histograms(const struct result *result, FILE *out);
