#include "measure/histogram.h"

#include <math.h>
#include <string.h>

enum { SUBBUCKETS = 1 << HISTOGRAM_SUBBUCKET_BITS };

/* The highest bit of a value gives its power of two; the HISTOGRAM_SUBBUCKET_BITS bits below it
 * give the bucket within this power. */
size_t histogram_bucket(double value)
{
    uint64_t whole;
    unsigned shift;

    if (value >= (double)(UINT64_C(1) << HISTOGRAM_VALUE_BITS))
        return HISTOGRAM_BUCKETS - 1;
    whole = value < 0 ? 0 : (uint64_t)value;
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

/* Statistics of a group of values, which add_summary() adds to those of a histogram. */
struct summary {
    uint64_t count;
    double minimum, maximum, mean, squares;
};

/* Method: Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample
 * Variances", 1979. */
static void add_summary(struct histogram *sum, const struct summary *added)
{
    double before = (double)sum->count, more = (double)added->count, total = before + more;
    double difference = added->mean - sum->mean;

    if (sum->count == 0 || added->minimum < sum->minimum)
        sum->minimum = added->minimum;
    sum->maximum = fmax(sum->maximum, added->maximum);
    sum->mean += difference * more / total;
    sum->squares += added->squares + difference * difference * before * more / total;
    sum->count += added->count;
}

static struct summary find_summary(const double *values, size_t n)
{
    struct summary summary = {.count = n, .minimum = values[0], .maximum = values[0]};

    for (size_t i = 0; i < n; i++) {
        summary.mean += values[i];
        summary.minimum = values[i] < summary.minimum ? values[i] : summary.minimum;
        summary.maximum = values[i] > summary.maximum ? values[i] : summary.maximum;
    }
    summary.mean /= (double)n;
    for (size_t i = 0; i < n; i++)
        summary.squares += (values[i] - summary.mean) * (values[i] - summary.mean);
    return summary;
}

void histogram_record_all(struct histogram *histogram, const double *values, size_t n)
{
    struct summary summary;

    if (n == 0)
        return;
    summary = find_summary(values, n);
    add_summary(histogram, &summary);
    for (size_t i = 0; i < n; i++)
        histogram->buckets[histogram_bucket(values[i])]++;
}

void histogram_add(struct histogram *sum, const struct histogram *added)
{
    struct summary summary = {.count = added->count,
                              .minimum = added->minimum,
                              .maximum = added->maximum,
                              .mean = added->mean,
                              .squares = added->squares};

    if (added->count == 0)
        return;
    add_summary(sum, &summary);
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        sum->buckets[i] += added->buckets[i];
}

void histogram_difference(struct histogram *part, const struct histogram *now,
                          const struct histogram *before)
{
    *part = (struct histogram){.count = now->count - before->count};
    if (part->count == 0)
        return;
    part->mean = (now->mean * (double)now->count - before->mean * (double)before->count) /
                 (double)part->count;
    part->minimum = now->maximum;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        part->buckets[i] = now->buckets[i] - before->buckets[i];
        if (part->buckets[i] == 0)
            continue;
        part->minimum = fmin(part->minimum, histogram_bucket_low(i));
        part->maximum = fmin(histogram_bucket_high(i), now->maximum);
    }
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
    if (bucket == HISTOGRAM_BUCKETS - 1) /* the last bucket's only upper bound is the maximum */
        return histogram->maximum;
    middle = (histogram_bucket_low(bucket) + histogram_bucket_high(bucket)) / 2;
    return fmin(fmax(middle, histogram->minimum), histogram->maximum);
}

size_t histogram_next(const struct histogram *histogram, size_t from)
{
    while (from < HISTOGRAM_BUCKETS && histogram->buckets[from] == 0)
        from++;
    return from;
}

uint64_t histogram_count_above(const struct histogram *histogram, double value)
{
    uint64_t count = 0;

    for (size_t i = histogram_next(histogram, histogram_bucket(value) + 1); i < HISTOGRAM_BUCKETS;
         i = histogram_next(histogram, i + 1))
        count += histogram->buckets[i];
    return count;
}

void histogram_log2(const struct histogram *histogram, uint64_t counts[HISTOGRAM_LOG2_BUCKETS])
{
    memset(counts, 0, HISTOGRAM_LOG2_BUCKETS * sizeof counts[0]);
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        uint64_t low = (uint64_t)histogram_bucket_low(i);

        counts[low > 1 ? 63 - __builtin_clzll(low) : 0] += histogram->buckets[i];
    }
}
