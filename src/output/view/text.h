#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "output/result/result.h"

struct text_histogram {
    const char *name;
    const struct histogram *histogram; /* latencies in ns; NULL for none */
};

/* Counts of latencies. Bin I counts latencies from 2^I ns (bin 0: from 0) to below 2^(I + 1) ns;
 * the last bin has no end. */
struct text_bins {
    const char *name;
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS];
};

/* maximum number of histograms next to each other; they fit in 80 columns */
enum { TEXT_HISTOGRAMS_MAXIMUM = 3 };

/* Print COUNT (1 to TEXT_HISTOGRAMS_MAXIMUM) COLUMNS next to each other. TITLE is the heading of
 * the bins. Each bin between the first and the last bin with calls has a line with its counts and a
 * bar for its share of each column's calls. Then follow a line for "overflow", which is the bin
 * without an end, and the "total". Returns false and prints nothing if all columns are empty. */
bool text_print_bins(const char *title, const struct text_bins *columns, size_t count, FILE *out);

/* Do what text_print_bins() does, with COUNT HISTOGRAMS as the columns. */
bool text_print_side_by_side(const char *title, const struct text_histogram *histograms,
                             size_t count, FILE *out);

/* Print the histograms of all ops except the null control, up to three next to each other. */
void text_print_histograms(const struct result *result, FILE *out);
