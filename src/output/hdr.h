/* A result's histograms in the forms that HdrHistogram's tools read: the percentile distribution
 * (.hgrm), and the histogram log with compressed histograms (V2). The histogram of
 * measure/histogram.h has the very buckets of an HdrHistogram of two significant digits, so nothing
 * is lost. Values are in ns in the log and in us in the distribution.
 *
 * Format: github.com/HdrHistogram/HdrHistogram, "HistogramLogWriter" and "encodeIntoByteBuffer". */
#ifndef NFSBENCH_OUTPUT_HDR_H
#define NFSBENCH_OUTPUT_HDR_H

#include <stdio.h>

#include "output/result.h"

/* The percentile distribution of one op: the largest value of the bucket that each percentile falls
 * into. 0. */
int hdr_distribution_write(const struct result_op *op, FILE *out);

/* The log, an interval for each op, tagged with its name. 0 or -ENOMEM. */
int hdr_log_write(const struct result *result, FILE *out);

#endif
