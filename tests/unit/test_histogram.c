#include "test.h"

#include "common/random.h"
#include "measure/histogram.h"
#include "measure/statistics/estimate.h"

enum { SAMPLES = 20000 };

static double uniform(struct random *random)
{
    return ((double)(random_next(random) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(struct random *random)
{
    return sqrt(-2 * log(uniform(random))) * cos(2 * M_PI * uniform(random));
}

static double draw_uniform(struct random *random)
{
    return 10 + 1e5 * uniform(random);
}

static double draw_lognormal(struct random *random)
{
    return exp(9.5 + 0.8 * normal(random));
}

static double draw_bimodal(struct random *random)
{
    return uniform(random) < 0.7 ? 9000 + 200 * normal(random) : 3.2e6 + 1e5 * normal(random);
}

static double draw_small(struct random *random)
{
    return 200 * uniform(random);
}

/* Draw SAMPLES values, and record them one by one in HISTOGRAM. Returns the values. */
static double *draw_all(double (*draw)(struct random *), uint64_t seed, struct histogram *histogram)
{
    static double values[SAMPLES];
    struct random random;

    memset(histogram, 0, sizeof *histogram);
    random_seed(&random, seed);
    for (size_t i = 0; i < SAMPLES; i++) {
        values[i] = draw(&random);
        histogram_record(histogram, values[i]);
    }
    return values;
}

static double mean_of(const double *values)
{
    double sum = 0;

    for (size_t i = 0; i < SAMPLES; i++)
        sum += values[i];
    return sum / SAMPLES;
}

static double deviation_of(const double *values, double mean)
{
    double squares = 0;

    for (size_t i = 0; i < SAMPLES; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (SAMPLES - 1));
}

static void check_distribution(double (*draw)(struct random *))
{
    static const double quantiles[] = {0, 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1};
    static struct histogram histogram;
    double *values = draw_all(draw, 3, &histogram), mean = mean_of(values);

    estimate_sort(values, SAMPLES);
    assert_all((histogram.count, SAMPLES), (histogram.minimum, values[0], 0),
               (histogram.maximum, values[SAMPLES - 1], 0), (histogram.mean, mean, 1e-9 * mean),
               (histogram_stddev(&histogram), deviation_of(values, mean), 1e-9 * mean));
    for (size_t i = 0; i < COUNT_OF(quantiles); i++) {
        double exact = estimate_quantile(values, SAMPLES, quantiles[i]);

        /* Buckets below 128 ns are 1 ns wide, so that the error is at most half a ns. */
        assert_near(histogram_quantile(&histogram, quantiles[i]), exact,
                    fmax(exact * HISTOGRAM_RELATIVE_ERROR * 1.0001, 0.5));
    }
}

TEST_CASE(quantiles)
{
    check_distribution(draw_uniform);
    check_distribution(draw_lognormal);
    check_distribution(draw_bimodal);
    check_distribution(draw_small);
}

/* Check that recording in blocks of BLOCK values has the same result as one by one, except for
 * rounding in mean and deviation. */
static void check_blocks(double (*draw)(struct random *), size_t block)
{
    static struct histogram by_blocks, one_by_one;
    const double *values = draw_all(draw, 5, &one_by_one);

    memset(&by_blocks, 0, sizeof by_blocks);
    for (size_t i = 0; i < SAMPLES; i += block)
        histogram_record_all(&by_blocks, values + i, i + block < SAMPLES ? block : SAMPLES - i);
    histogram_record_all(&by_blocks, values, 0);
    assert_all(
        (by_blocks.count, one_by_one.count), (by_blocks.minimum, one_by_one.minimum, 0),
        (by_blocks.maximum, one_by_one.maximum, 0),
        (by_blocks.mean, one_by_one.mean, 1e-12 * one_by_one.mean),
        (histogram_stddev(&by_blocks), histogram_stddev(&one_by_one), 1e-9 * one_by_one.mean));
    assert_memory_equal(by_blocks.buckets, one_by_one.buckets, sizeof by_blocks.buckets);
}

TEST_CASE(blocks)
{
    static const size_t blocks[] = {1, 2, 7, 100, 2048, SAMPLES};

    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        check_blocks(draw_small, blocks[i]);
        check_blocks(draw_lognormal, blocks[i]);
        check_blocks(draw_bimodal, blocks[i]);
    }
}

TEST_CASE(buckets_are_contiguous)
{
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        double low = histogram_bucket_low(i), high = histogram_bucket_high(i);

        assert_all((histogram_bucket(low), i), (histogram_bucket(high - 0.001), i),
                   (high, histogram_bucket_low(i + 1), 0));
        if (i >= 128)
            assert_true((high - low) / low <= 2 * HISTOGRAM_RELATIVE_ERROR);
    }
    assert_near(histogram_bucket_high(HISTOGRAM_BUCKETS - 1), 4398046511104.0, 0); /* 2^42 */
}

TEST_CASE(extremes)
{
    static struct histogram histogram;

    assert_all((histogram_quantile(&histogram, 0.5), 0, 0), (histogram_stddev(&histogram), 0, 0));
    histogram_record(&histogram, 0);
    assert_all((histogram_quantile(&histogram, 1), 0, 0), (histogram_stddev(&histogram), 0, 0));
    histogram_record(&histogram, 4398046511104.0);
    histogram_record(&histogram, 1e300);
    assert_all((histogram.buckets[HISTOGRAM_BUCKETS - 1], 2), (histogram.maximum, 1e300, 0),
               (histogram_quantile(&histogram, 1), 1e300, 0));
}

TEST_CASE(log2)
{
    static const double values[] = {0, 1, 2, 3, 4, 127, 128, 1000, 1024, 1e13};
    static const uint64_t expected[HISTOGRAM_LOG2_BUCKETS] = {
        2, 2, 1, [6] = 1, [7] = 1, [9] = 1, [10] = 1, [HISTOGRAM_LOG2_BUCKETS - 1] = 1};
    static struct histogram histogram;
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS];

    for (size_t i = 0; i < COUNT_OF(values); i++)
        histogram_record(&histogram, values[i]);
    histogram_log2(&histogram, counts);
    assert_memory_equal(counts, expected, sizeof counts);
    assert_all((histogram_count_above(&histogram, 3), 6), (histogram_count_above(&histogram, 4), 5),
               (histogram_count_above(&histogram, 1e13), 0));
}

TEST_CASE(difference_has_what_was_added)
{
    static struct histogram now, before, part;

    histogram_record(&now, 1000);
    histogram_record(&now, 50);
    before = now;
    histogram_record(&now, 300);
    histogram_record(&now, 500);
    histogram_difference(&part, &now, &before);
    assert_all((part.count, 2), (part.mean, 400, 1e-6),
               (part.minimum <= 300 && part.maximum >= 500 && part.maximum < 510),
               (histogram_quantile(&part, 0.5), 300, 3));
    histogram_difference(&part, &now, &now);
    assert_int_equal(part.count, 0);
}
