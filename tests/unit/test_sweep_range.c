/* The values of a sweep: lists, doublings, percentages; and what is refused. */
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/option_values.h"

static struct sweep_range range;
static struct error error;

static void expect(const char *text, const double *values, size_t count)
{
    assert_int_equal(sweep_range_parse("rate", text, SWEEP_RANGE_SHARES, &range, &error), 0);
    assert_int_equal(range.count, count);
    for (size_t i = 0; i < count; i++)
        assert_near(range.values[i], values[i], 1e-9 * values[i]);
}

static void refuse(const char *text, enum sweep_range_kind kind)
{
    memset(&error, 0, sizeof error);
    if (sweep_range_parse("depth", text, kind, &range, &error) != -EINVAL)
        fail_msg("'%s' was taken", text);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "--depth"));
}

#define EXPECT(text, ...)                                                                          \
    do {                                                                                           \
        const double expected[] = {__VA_ARGS__};                                                   \
        expect(text, expected, COUNT_OF(expected));                                                \
    } while (0)

TEST_CASE(lists)
{
    EXPECT("8", 8);
    EXPECT("1,2,4,8,12", 1, 2, 4, 8, 12);
    EXPECT("12,1,4", 12, 1, 4); /* in the order given */
    EXPECT("4,4,2,4", 4, 2);    /* each once */
    EXPECT("64Ki,1k,1M", 65536, 1000, 1000000);
}

/* k is 1024 in a size and 1000 in a rate. */
TEST_CASE(sizes)
{
    const double expected[] = {512, 1024, 2048, 4096, 4000};

    assert_int_equal(sweep_range_parse("size", "512..4k,4kB", SWEEP_RANGE_SIZES, &range, &error),
                     0);
    assert_int_equal(range.count, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_near(range.values[i], expected[i], 0);
    refuse("4KiB", SWEEP_RANGE_COUNTS);
}

TEST_CASE(ranges)
{
    EXPECT("1..64", 1, 2, 4, 8, 16, 32, 64);
    EXPECT("1..12", 1, 2, 4, 8, 12);
    EXPECT("3..3", 3);
    EXPECT("512..2Ki,1..2", 512, 1024, 2048, 1, 2);
    assert_false(range.percent);
}

TEST_CASE(shares)
{
    EXPECT("50%", 0.5);
    EXPECT("10%..50%", 0.1, 0.2, 0.3, 0.4, 0.5);
    EXPECT("20%..90%", 0.2, 0.4, 0.6, 0.8, 0.9);
    EXPECT("10%,110%", 0.1, 1.1);
    assert_true(range.percent);
    EXPECT("10%..100%", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1);
}

TEST_CASE(refused)
{
    static const char *const words[] = {"",      ",",       "1,",     ",1",
                                        "1,,2",  "0",       "0,1",    "-1",
                                        "x",     "1x",      "1..",    "..4",
                                        "..",    "4..1",    "1..x",   "1.5",
                                        "1...4", "1..2..4", "0..4",   "1-4",
                                        "1 2",   "50%..1",  "1..50%", "1,50%",
                                        "50%,1", "0%",      "-5%",    "%",
                                        "x%",    "1%%",     "2000%",  "99999999999999999999999999"};

    for (size_t i = 0; i < COUNT_OF(words); i++)
        refuse(words[i], SWEEP_RANGE_SHARES);
    refuse("10%", SWEEP_RANGE_COUNTS);
    refuse("10%..100%", SWEEP_RANGE_COUNTS);
    refuse("11111111111111111111111111111111111111111111111111111111", SWEEP_RANGE_SHARES);
    refuse("nan%", SWEEP_RANGE_SHARES);
    refuse("inf%", SWEEP_RANGE_SHARES);
}

/* No more values than there is room for, in any notation. */
TEST_CASE(many)
{
    char text[1024] = "1";

    for (int i = 2; i <= SWEEP_VALUES_MAXIMUM; i++)
        sprintf(text + strlen(text), ",%d", i);
    assert_int_equal(sweep_range_parse("depth", text, SWEEP_RANGE_COUNTS, &range, &error), 0);
    assert_int_equal(range.count, SWEEP_VALUES_MAXIMUM);
    strcat(text, ",64");
    assert_int_equal(sweep_range_parse("depth", text, SWEEP_RANGE_COUNTS, &range, &error), 0);
    strcat(text, ",65");
    refuse(text, SWEEP_RANGE_COUNTS);
    assert_non_null(strstr(error.text, "64"));
    refuse("1%..100%", SWEEP_RANGE_SHARES);
}
