/* A measurement's histograms in two forms that HdrHistogram's tools read: percentile distributions
 * (.hgrm, values in us) and a log with compressed histograms (V2, values in ns).
 * measure/histogram.h has the same buckets as an HdrHistogram with two significant digits, so
 * nothing is lost. Format: github.com/HdrHistogram/HdrHistogram, "HistogramLogWriter" and
 * "encodeIntoByteBuffer". */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/printable.h"
#include "output/form/form.h"
#include "output/result/result.h"

/* A percentile distribution has levels that become denser towards 100 %. After each
 * TICKS_PER_HALVING levels, the distance to 100 % is half as large, and the steps between the
 * following levels are half as large. */
enum { TICKS_PER_HALVING = 5 };

static double next_level(double level)
{
    double halvings = floor(log2(100 / (100 - level))) + 1;

    return level + 100 / (TICKS_PER_HALVING * exp2(halvings));
}

static void print_level(const struct histogram *histogram, double value, double level,
                        uint64_t count, FILE *out)
{
    fprintf(out, "%12.3f %2.12f %10" PRIu64, fmin(value, histogram->maximum) / 1000, level / 100,
            count);
    if (level < 100)
        fprintf(out, " %14.2f", 1 / (1 - level / 100));
    fputc('\n', out);
}

/* Write a line for each level, with the largest value of its bucket. DATA is a struct result_op. */
static int write_distribution(const void *data, FILE *out)
{
    const struct histogram *histogram = ((const struct result_op *)data)->histogram;
    double level = 0, total = (double)histogram->count;
    uint64_t count = 0;

    fprintf(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
            "1/(1-Percentile)");
    for (size_t i = 0; i < HISTOGRAM_BUCKETS && count < histogram->count; i++) {
        count += histogram->buckets[i];
        for (; histogram->buckets[i] > 0 && level < 100 && 100 * (double)count / total >= level &&
               count < histogram->count;
             level = next_level(level))
            print_level(histogram, histogram_bucket_high(i) - 1, level, count, out);
    }
    print_level(histogram, histogram->maximum, 100, count, out);
    fprintf(out, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", histogram->mean / 1000,
            histogram_stddev(histogram) / 1000);
    fprintf(out, "#[Max     = %12.3f, Total count    = %12" PRIu64 "]\n", histogram->maximum / 1000,
            histogram->count);
    fprintf(out, "#[Buckets = %12d, SubBuckets     = %12d]\n",
            HISTOGRAM_VALUE_BITS - HISTOGRAM_SUBBUCKET_BITS, 2 << HISTOGRAM_SUBBUCKET_BITS);
    return 0;
}

enum {
    COOKIE = 0x1c849313,            /* marks version V2, whose counts are ZigZag LEB128 words */
    COMPRESSED_COOKIE = 0x1c849314, /* V2, deflated */
    SIGNIFICANT_DIGITS = 2,
    HEADER_SIZE = 40,
    WORD_MAXIMUM = 9, /* maximum number of bytes of an encoded count */
};

static uint8_t *put_u32(uint8_t *at, uint32_t value)
{
    value = htobe32(value);
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static uint8_t *put_u64(uint8_t *at, uint64_t value)
{
    value = htobe64(value);
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

/* Write COUNT in ZigZag encoding: seven bits in each byte, lowest bits first; a ninth byte has
 * eight bits. Returns the end. */
static uint8_t *put_count(uint8_t *at, int64_t count)
{
    uint64_t word = ((uint64_t)count << 1) ^ (uint64_t)(count >> 63);

    for (int i = 0; i < WORD_MAXIMUM - 1 && word > 0x7f; i++) {
        *at++ = (uint8_t)(word | 0x80);
        word >>= 7;
    }
    *at++ = (uint8_t)word;
    return at;
}

/* Write the buckets' counts up to the last non-zero count. A run of zeros becomes its negative
 * length. Returns the end. */
static uint8_t *put_counts(uint8_t *at, const struct histogram *histogram)
{
    int64_t zeros = 0;

    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        if (histogram->buckets[i] == 0) {
            zeros++;
            continue;
        }
        if (zeros > 0)
            at = put_count(at, -zeros);
        zeros = 0;
        at = put_count(at, (int64_t)histogram->buckets[i]);
    }
    return at;
}

static size_t encode(const struct histogram *histogram, uint8_t *bytes)
{
    const double ratio = 1; /* factor that converts a stored integer to its value */
    uint64_t ratio_bits;
    uint8_t *end = put_counts(bytes + HEADER_SIZE, histogram), *at = bytes;

    memcpy(&ratio_bits, &ratio, sizeof ratio_bits);
    at = put_u32(at, COOKIE);
    at = put_u32(at, (uint32_t)(end - bytes - HEADER_SIZE));
    at = put_u32(at, 0); /* normalizing index offset */
    at = put_u32(at, SIGNIFICANT_DIGITS);
    at = put_u64(at, 1); /* lowest value above 0 that can be recorded */
    at = put_u64(at, (UINT64_C(1) << HISTOGRAM_VALUE_BITS) - 1);
    put_u64(at, ratio_bits);
    return (size_t)(end - bytes);
}

static void print_base64(const uint8_t *bytes, size_t length, FILE *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        uint32_t second = i + 1 < length ? bytes[i + 1] : 0,
                 third = i + 2 < length ? bytes[i + 2] : 0;
        uint32_t word = (uint32_t)bytes[i] << 16 | second << 8 | third;

        fputc(digits[word >> 18], out);
        fputc(digits[word >> 12 & 63], out);
        fputc(i + 1 < length ? digits[word >> 6 & 63] : '=', out);
        fputc(i + 2 < length ? digits[word & 63] : '=', out);
    }
}

static int print_histogram(const struct histogram *histogram, FILE *out)
{
    enum { PREFIX_SIZE = 8, PLAIN_MAXIMUM = HEADER_SIZE + 2 * WORD_MAXIMUM * HISTOGRAM_BUCKETS };
    uLongf length = compressBound(PLAIN_MAXIMUM);
    uint8_t *plain = malloc(PLAIN_MAXIMUM), *packed = malloc(PREFIX_SIZE + length);
    int code = plain && packed ? 0 : -ENOMEM;

    if (code == 0 &&
        compress(packed + PREFIX_SIZE, &length, plain, (uLong)encode(histogram, plain)) != Z_OK)
        code = -ENOMEM;
    if (code == 0) {
        put_u32(put_u32(packed, COMPRESSED_COOKIE), (uint32_t)length);
        print_base64(packed, PREFIX_SIZE + length, out);
    }
    free(plain);
    free(packed);
    return code;
}

/* Write a log interval per op with a histogram, tagged with the op's name. DATA: struct result. */
static int write_log(const void *data, FILE *out)
{
    const struct result *result = data;
    int code = 0;

    fprintf(out, "#[Logged with nfsbench %s]\n#[Histogram log format version 1.3]\n",
            result->tool.version);
    if (result->host.name)
        fprintf(out, "#[Host: %s]\n", printable(result->host.name).text);
    fprintf(out,
            "#[StartTime: %lld.000 (seconds since epoch), %s]\n"
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
            "\"Interval_Compressed_Histogram\"\n",
            (long long)result->started, result->start);
    for (size_t i = 0; i < result->op_count && code == 0; i++) {
        const struct result_op *op = &result->ops[i];

        if (!op->histogram)
            continue;
        fprintf(out, "Tag=%s,0.000,%.3f,%.3f,", op->op, (double)op->elapsed_ns / 1e9,
                op->latency.maximum / 1e6);
        code = print_histogram(op->histogram, out);
        fputc('\n', out);
    }
    return code;
}

/* Set FILE to PREFIX.hlog for INDEX 0, to PREFIX-OP.hgrm of op INDEX - 1 for higher INDEX. Returns
 * false after the last op (struct form). */
static bool file_at(const void *data, const char *prefix, size_t index, struct form_file *file)
{
    const struct result *result = data;
    const struct result_op *op;

    if (index == 0) {
        snprintf(file->path, sizeof file->path, "%.4000s.hlog", prefix);
        file->data = data;
        file->writer = write_log;
        return true;
    }
    if (!data || index > result->op_count)
        return false;
    op = &result->ops[index - 1];
    snprintf(file->path, sizeof file->path, "%.4000s-%.60s.hgrm", prefix, op->op);
    file->data = op;
    file->writer = op->histogram ? write_distribution : NULL;
    return true;
}

const struct form form_hdr = {
    .writers = {[RESULT_MEASUREMENT] = write_log},
    .file_at = file_at,
};
