/* A log-linear histogram of times in ns.
 *
 * Below 128 ns each integer has a bucket. Above, every power of two is divided into 128 buckets of
 * equal width: a bucket is never wider than 1/128 of its lower bound (0.78 %), and its midpoint is
 * off by at most half of that (0.39 %). Minimum, maximum, count, mean and standard deviation are
 * exact. Values of 2^42 ns (73 minutes) and more are in the last bucket. Recording takes constant
 * time and never fails. The layout follows G. Tene's HdrHistogram, with a power of two as the
 * number of sub-buckets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    HISTOGRAM_SUBBUCKET_BITS = 7,
    HISTOGRAM_VALUE_BITS = 42,
    HISTOGRAM_LOG2_BUCKETS = HISTOGRAM_VALUE_BITS,
    HISTOGRAM_BUCKETS = (HISTOGRAM_VALUE_BITS - HISTOGRAM_SUBBUCKET_BITS + 1)
                        << HISTOGRAM_SUBBUCKET_BITS,
};

/* The largest relative error of a bucket's midpoint, from 128 ns on. */
#define HISTOGRAM_RELATIVE_ERROR (0.5 / (1 << HISTOGRAM_SUBBUCKET_BITS))

/* A zeroed histogram is empty. */
struct histogram {
    uint64_t count;
    double minimum, maximum; /* ns, exact except after histogram_difference(); 0 while count is 0 */
    double mean;             /* ns, exact */
    double squares;          /* sum of squared deviations from the mean (Welford) */
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

/* Record one value in ns (0 or more). */
void histogram_record(struct histogram *histogram, double value);

/* Record N values, as histogram_record() does, in a third of the time. */
void histogram_record_all(struct histogram *histogram, const double *values, size_t n);

/* Add all values of ADDED to SUM, as if they had been recorded there. */
void histogram_add(struct histogram *sum, const struct histogram *added);

/* Set PART to the values that were recorded in NOW since its earlier copy BEFORE. The minimum and
 * maximum of PART are bounds of buckets, limited to NOW's maximum. PART's squares are 0: its
 * standard deviation is not known. */
void histogram_difference(struct histogram *part, const struct histogram *now,
                          const struct histogram *before);

/* Return the sample standard deviation (with n - 1), ns; 0 for fewer than two values. */
double histogram_stddev(const struct histogram *histogram);

/* Return the quantile Q (0 to 1) in ns. It is the midpoint of the bucket that has the value of rank
 * ceil(Q x count), limited to the minimum and maximum. If that bucket is the last one, the
 * quantile is the maximum. If the histogram is empty, the quantile is 0. */
double histogram_quantile(const struct histogram *histogram, double q);

/* histogram_bucket() returns the index of the bucket that contains VALUE (ns). The other two return
 * the lower bound (included) and the upper bound (excluded) of BUCKET, ns. */
size_t histogram_bucket(double value);
double histogram_bucket_low(size_t bucket);
double histogram_bucket_high(size_t bucket);

/* Return the first nonempty bucket from FROM on, or HISTOGRAM_BUCKETS if there is none. */
size_t histogram_next(const struct histogram *histogram, size_t from);

/* Return the number of values in buckets above that of VALUE. */
uint64_t histogram_count_above(const struct histogram *histogram, double value);

/* Count by powers of two: COUNTS[i] is the number of values from 2^i ns up to 2^(i+1); COUNTS[0]
 * also includes values below 1 ns, the last item all longer values. */
void histogram_log2(const struct histogram *histogram, uint64_t counts[HISTOGRAM_LOG2_BUCKETS]);
