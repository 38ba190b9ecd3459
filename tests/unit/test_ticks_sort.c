/* Blocks of any size, with any values, are sorted as by qsort(). */
#include "test.h"

#include "common/random.h"
#include "measure/rounds.h"

enum { LARGEST = 5000, ROUNDS = 3 };

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void check_sorted(const uint64_t *values, size_t n)
{
    static uint64_t sorted[LARGEST], expected[LARGEST], spare[LARGEST];

    memcpy(sorted, values, n * sizeof *values);
    memcpy(expected, values, n * sizeof *values);
    qsort(expected, n, sizeof *expected, compare);
    ticks_sort(sorted, spare, n);
    assert_memory_equal(sorted, expected, n * sizeof *sorted);
}

/* Sort N random values of BITS bits from BASE on. */
static void check_bits(struct random *random, uint64_t base, unsigned bits, size_t n)
{
    static uint64_t values[LARGEST];

    for (size_t i = 0; i < n; i++)
        values[i] = base + (random_next(random) >> (64 - bits));
    check_sorted(values, n);
}

TEST_CASE(random_values)
{
    static const size_t sizes[] = {0, 1, 2, 100, 511, 512, 513, 2048, LARGEST};
    struct random random;

    random_seed(&random, 11);
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        for (unsigned bits = 1; bits <= 64; bits++)
            for (unsigned round = 0; round < ROUNDS; round++)
                check_bits(&random, bits < 60 ? UINT64_C(0x123456789abcdef) << (round % 3) : 0,
                           bits, sizes[i]);
}

TEST_CASE(equal_values)
{
    static uint64_t values[LARGEST];

    for (size_t i = 0; i < LARGEST; i++)
        values[i] = 42;
    check_sorted(values, LARGEST);
    values[LARGEST - 1] = 41;
    check_sorted(values, LARGEST);
    values[0] = UINT64_MAX;
    values[1] = 0;
    check_sorted(values, LARGEST);
}

/* Most calls take about the same time; a few take up to a thousand times as long. */
TEST_CASE(outliers)
{
    static uint64_t values[LARGEST];
    struct random random;

    random_seed(&random, 12);
    for (size_t i = 0; i < LARGEST; i++)
        values[i] = 170000 + random_below(&random, 30000) +
                    (random_below(&random, 100) == 0 ? random_below(&random, 200000000) : 0);
    check_sorted(values, LARGEST);
}
