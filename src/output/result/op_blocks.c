/* An op's values by round and its histogram as JSON. */
#include <math.h>

#include "output/result/json.h"
#include "output/result/result_fields.h"

/* 2^53: up to this number a double represents every integer */
#define COUNT_MAXIMUM INT64_C(9007199254740992)

enum { ROUNDS_MAXIMUM = 1 << 28 };

/* Return VALUES (ns) as an array, rounded to 0.1 ns. */
static json_t *values_array(const double *values, size_t count)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_known(round(values[i] * 10) / 10));
    return array;
}

json_t *blocks_write(const void *op, const void *root)
{
    const struct result *result = root;

    return values_array(((const struct result_op *)op)->blocks, result->rounds.done);
}

json_t *block_means_write(const void *op, const void *root)
{
    const struct result *result = root;
    const double *means = ((const struct result_op *)op)->block_means;

    return means ? values_array(means, result->rounds.done) : NULL;
}

json_t *echo_blocks_write(const void *op, const void *root)
{
    const struct result *result = root;
    const double *blocks = ((const struct result_op *)op)->echo_blocks;

    return blocks ? values_array(blocks, result->rounds.done) : NULL;
}

/* Return the values by round at KEY, and set *COUNT to their number; NULL and 0 if none. */
static double *read_values(struct json_reader *reader, const json_t *from, const char *key,
                           size_t *count)
{
    const json_t *blocks = json_take_array(reader, from, key, ROUNDS_MAXIMUM, count);
    double *values = *count ? json_room(reader, *count, sizeof *values) : NULL;

    for (size_t i = 0; values && i < *count; i++) {
        const json_t *block = json_array_get(blocks, i);

        values[i] = json_number_value(block);
        if (!json_is_number(block))
            json_refuse(reader, ": a round is no number");
        if (values[i] < 0 || values[i] > 1e18)
            json_refuse(reader, ": a round took no time that can be");
    }
    return values;
}

void blocks_read(struct json_reader *reader, const json_t *from, struct result *result,
                 struct result_op *op)
{
    size_t count, means, echoes;

    op->blocks = read_values(reader, from, "blocks", &count);
    op->block_means = read_values(reader, from, "block_means", &means);
    op->echo_blocks = read_values(reader, from, "echo_blocks", &echoes);
    if (count == 0 || (result->rounds.done && count != result->rounds.done) ||
        (means && means != count) || (echoes && echoes != count)) {
        json_refuse(reader, ": rounds are missing");
        return;
    }
    result->rounds.done = count;
}

json_t *histogram_write(const void *op, const void *root)
{
    const struct histogram *histogram = ((const struct result_op *)op)->histogram;
    json_t *lows, *counts;

    if (!histogram)
        return NULL;
    lows = json_array();
    counts = json_array();
    for (size_t i = histogram_next(histogram, 0); i < HISTOGRAM_BUCKETS;
         i = histogram_next(histogram, i + 1)) {
        json_array_append_new(lows, json_count((uint64_t)histogram_bucket_low(i)));
        json_array_append_new(counts, json_count(histogram->buckets[i]));
    }
    return json_pack("{s:o, s:o, s:f}", "low_ns", lows, "count", counts, "relative_error",
                     HISTOGRAM_RELATIVE_ERROR);
}

/* Add COUNT calls to the bucket that begins at LOW, and set *BEFORE to LOW. Returns false if LOW
 * does not exceed *BEFORE, a value is out of range, or HISTOGRAM has too many calls. */
static bool add_bucket(struct histogram *histogram, const json_t *low, const json_t *count,
                       double *before)
{
    double value = json_number_value(low);
    json_int_t calls = json_integer_value(count);

    if (!json_is_number(low) || !json_is_integer(count) || calls < 0 || calls > COUNT_MAXIMUM ||
        value <= *before || value >= histogram_bucket_high(HISTOGRAM_BUCKETS - 1))
        return false;
    *before = value;
    histogram->buckets[histogram_bucket(value)] += (uint64_t)calls;
    histogram->count += (uint64_t)calls;
    return histogram->count <= (uint64_t)1 << 60;
}

/* Set HISTOGRAM's minimum, maximum, mean and deviation from LATENCY, which has exact values. An
 * unknown minimum or maximum becomes the end of a bucket; an unknown mean or deviation 0. */
static void set_exact_values(struct histogram *histogram, const struct result_latency *latency)
{
    double degrees = histogram->count > 1 ? (double)histogram->count - 1 : 0;
    size_t first = histogram_next(histogram, 0), last = first;

    for (size_t i = first; i < HISTOGRAM_BUCKETS; i = histogram_next(histogram, i + 1))
        last = i;
    histogram->minimum = isnan(latency->minimum) ? histogram_bucket_low(first) : latency->minimum;
    histogram->maximum = isnan(latency->maximum) ? histogram_bucket_high(last) : latency->maximum;
    histogram->mean = isnan(latency->mean) ? 0 : latency->mean;
    histogram->squares = isnan(latency->stddev) ? 0 : latency->stddev * latency->stddev * degrees;
}

void histogram_read(struct json_reader *reader, const json_t *from, void *object)
{
    struct result_op *op = object;
    size_t lows, count;
    const json_t *low = json_take_array(reader, from, "histogram.low_ns", HISTOGRAM_BUCKETS, &lows);
    const json_t *counts =
        json_take_array(reader, from, "histogram.count", HISTOGRAM_BUCKETS, &count);
    struct histogram *histogram = count ? json_room(reader, 1, sizeof *histogram) : NULL;
    double before = -1;

    json_take_object(reader, from, "histogram");
    if (lows != count)
        json_refuse(reader, ": a histogram is broken");
    for (size_t i = 0; histogram && i < count && reader->code == 0; i++)
        if (!add_bucket(histogram, json_array_get(low, i), json_array_get(counts, i), &before))
            json_refuse(reader, ": a histogram is broken");
    if (!histogram || reader->code || histogram->count == 0)
        return;
    set_exact_values(histogram, &op->latency);
    op->histogram = histogram;
}
