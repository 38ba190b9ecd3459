#include "measure/histogram.h"

#include <math.h>
#include <string.h>

enum { SUBBUCKETS = 1 << HISTOGRAM_SUBBUCKET_BITS };

void histogram_clear(struct histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
}

/* A value's bucket follows from its highest bit (which power of two) and the
 * HISTOGRAM_SUBBUCKET_BITS bits below it (which part of it). */
size_t histogram_bucket(double value)
{
    uint64_t whole = value < 0 ? 0 : (uint64_t)value;
    unsigned shift;

    if (value >= (double)(UINT64_C(1) << HISTOGRAM_VALUE_BITS))
        return HISTOGRAM_BUCKETS - 1;
    if (whole < SUBBUCKETS)
        return whole;
    shift = 63 - (unsigned)__builtin_clzll(whole) - HISTOGRAM_SUBBUCKET_BITS;
    return ((size_t)shift << HISTOGRAM_SUBBUCKET_BITS) + (whole >> shift);
}

double histogram_bucket_low(size_t bucket)
{
    size_t shift = bucket >> HISTOGRAM_SUBBUCKET_BITS;

    if (shift <= 1)
        return (double)bucket;
    return (double)(((bucket & (SUBBUCKETS - 1)) + SUBBUCKETS) << (shift - 1));
}

double histogram_bucket_high(size_t bucket)
{
    return histogram_bucket_low(bucket + 1);
}

void histogram_record(struct histogram *histogram, double value)
{
    double deviation = value - histogram->mean;

    histogram->count++;
    histogram->mean += deviation / (double)histogram->count;
    histogram->squares += deviation * (value - histogram->mean);
    if (histogram->count == 1 || value < histogram->minimum)
        histogram->minimum = value;
    if (value > histogram->maximum)
        histogram->maximum = value;
    histogram->buckets[histogram_bucket(value)]++;
}

void histogram_add(struct histogram *into, const struct histogram *from)
{
    double n = (double)into->count, m = (double)from->count;
    double deviation = from->mean - into->mean;

    if (from->count == 0)
        return;
    if (into->count == 0 || from->minimum < into->minimum)
        into->minimum = from->minimum;
    into->maximum = fmax(into->maximum, from->maximum);
    /* Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm", 1979. */
    into->squares += from->squares + deviation * deviation * n * m / (n + m);
    into->mean += deviation * m / (n + m);
    into->count += from->count;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->buckets[i] += from->buckets[i];
}

double histogram_stddev(const struct histogram *histogram)
{
    return histogram->count < 2 ? 0 : sqrt(histogram->squares / (double)(histogram->count - 1));
}

double histogram_quantile(const struct histogram *histogram, double q)
{
    uint64_t seen = 0, rank;
    size_t bucket = 0;
    double middle;

    if (histogram->count == 0)
        return 0;
    rank = (uint64_t)ceil(q * (double)histogram->count);
    if (rank < 1)
        rank = 1;
    for (bucket = 0; bucket < HISTOGRAM_BUCKETS - 1; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen >= rank)
            break;
    }
    if (bucket == HISTOGRAM_BUCKETS - 1) /* it has no upper bound but the maximum */
        return histogram->maximum;
    middle = (histogram_bucket_low(bucket) + histogram_bucket_high(bucket)) / 2;
    return fmin(fmax(middle, histogram->minimum), histogram->maximum);
}
