/* A log-linear histogram of times in nanoseconds.
 *
 * Values below 128 ns have a bucket each; above, every power of two is cut into 128 buckets of
 * one width, so a bucket is never wider than 1/128 of its lower bound (0.78 %), and the midpoint
 * reported for a value in it is off by at most half of that (0.39 %). Minimum, maximum, count,
 * mean and standard deviation are kept exactly beside it. Values of 2^42 ns (73 minutes) and more
 * fall into the last bucket; the maximum is still exact. Recording takes constant time and never
 * fails. After G. Tene's HdrHistogram, with a base-2 sub-bucket count. */
#ifndef NFSBENCH_MEASURE_HISTOGRAM_H
#define NFSBENCH_MEASURE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    HISTOGRAM_SUBBUCKET_BITS = 7,
    HISTOGRAM_VALUE_BITS = 42,
    HISTOGRAM_LOG2_BUCKETS = HISTOGRAM_VALUE_BITS,
    HISTOGRAM_BUCKETS = (HISTOGRAM_VALUE_BITS - HISTOGRAM_SUBBUCKET_BITS + 1)
                        << HISTOGRAM_SUBBUCKET_BITS,
};

/* The largest relative error of a value read back from a bucket. */
#define HISTOGRAM_RELATIVE_ERROR (0.5 / (1 << HISTOGRAM_SUBBUCKET_BITS))

/* Zeroed, it is empty. */
struct histogram {
    uint64_t count;
    double minimum, maximum; /* ns, exact; 0 while count is 0 */
    double mean;             /* ns, exact */
    double squares;          /* sum of squared deviations from the mean (Welford) */
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

/* Record one value in ns (0 or more). */
void histogram_record(struct histogram *histogram, double value);

/* Record N values, as histogram_record() does one by one, in a third of the time. */
void histogram_record_all(struct histogram *histogram, const double *values, size_t n);

/* Add what ADDED has recorded to SUM; nothing is lost by it. */
void histogram_add(struct histogram *sum, const struct histogram *added);

/* The sample standard deviation in ns (n - 1); 0 for fewer than two values. */
double histogram_stddev(const struct histogram *histogram);

/* The quantile Q (0 to 1) in ns: the midpoint of the bucket that holds the value of rank
 * ceil(Q x count), kept within the exact minimum and maximum; 0 when empty. */
double histogram_quantile(const struct histogram *histogram, double q);

/* The bucket that VALUE falls into, and a bucket's lower and upper bound (half open) in ns. */
size_t histogram_bucket(double value);
double histogram_bucket_low(size_t bucket);
double histogram_bucket_high(size_t bucket);

/* The first bucket from FROM on that holds something; HISTOGRAM_BUCKETS where there is none. */
size_t histogram_next(const struct histogram *histogram, size_t from);

/* How many values are in the buckets above the one that VALUE falls into. */
uint64_t histogram_count_above(const struct histogram *histogram, double value);

/* The counts by powers of two: COUNTS[i] gets those of 2^i ns up to 2^(i+1), COUNTS[0] what is
 * below 2 ns, too. */
void histogram_log2(const struct histogram *histogram, uint64_t counts[HISTOGRAM_LOG2_BUCKETS]);

#endif
