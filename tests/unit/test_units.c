#include "test.h"

#include "common/system_clock.h"
#include "common/units.h"

typedef int (*parser)(const char *, uint64_t *);

struct number {
    const char *text;
    uint64_t value;
};

static void check(parser parse, const struct number *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 42;
        int code = parse(numbers[i].text, &value);

        if (code != 0 || value != numbers[i].value)
            fail_msg("'%s': %d, %llu", numbers[i].text, code, (unsigned long long)value);
    }
}

/* Check that each of TEXTS, separated by '|', is refused with CODE. */
static void refuse(parser parse, int code, const char *texts)
{
    char all[200], *rest = strcpy(all, texts), *text;
    uint64_t value;

    while ((text = strsep(&rest, "|")))
        if (parse(text, &value) != code)
            fail_msg("'%s' is not refused with %d", text, code);
}

TEST_CASE(count)
{
    static const struct number numbers[] = {
        {"0", 0},           {"1", 1},        {"007", 7},
        {"10k", 10000},     {"10K", 10000},  {"1M", 1000000},
        {"2G", 2000000000}, {"1Ki", 1024},   {"3Mi", 3 << 20},
        {"1.5k", 1500},     {"0.25Ki", 256}, {"18446744073709551615", UINT64_MAX}};

    check(units_parse_count, numbers, COUNT_OF(numbers));
    refuse(units_parse_count, -ERANGE,
           "18446744073709551616|99999999999999999999999999|18446744073709551615k");
    refuse(units_parse_count, -EINVAL,
           "|-1|+1| 1|1 |10x|k|.|1.|.5k|1.5|1.0005k|1..5k|1e6|0x10|1B|1m|nan");
}

TEST_CASE(size)
{
    static const struct number numbers[] = {
        {"4096", 4096},     {"4096B", 4096},     {"64KiB", 65536}, {"64Ki", 65536},
        {"64kB", 64000},    {"1MB", 1000000},    {"4k", 4096},     {"4K", 4096},
        {"4KB", 4000},      {"1M", 1048576},     {"1m", 1048576},  {"2GB", 2000000000},
        {"2G", 2147483648}, {"2g", 2147483648},  {"1.5k", 1536},   {"1MiB", 1048576},
        {"0.5MiB", 524288}, {"2GiB", 2147483648}};

    check(units_parse_size, numbers, COUNT_OF(numbers));
    refuse(units_parse_size, -EINVAL, "64KIB|B|-4096|1TiB|1.3B|");
}

/* Dates are printed with the offset from UTC, as in RFC 3339. */
TEST_CASE(date)
{
    char text[SYSTEM_CLOCK_TEXT_SIZE];

    setenv("TZ", "IST-5:30", 1);
    tzset();
    assert_string_equal(system_clock_text(86399, text), "1970-01-02T05:29:59+05:30");
    setenv("TZ", "UTC", 1);
    tzset();
    assert_string_equal(system_clock_text(86399, text), "1970-01-01T23:59:59+00:00");
}

TEST_CASE(time)
{
    static const struct number numbers[] = {
        {"0", 0},           {"200ns", 200},       {"2us", 2000},         {"0.2us", 200},
        {"1.5ms", 1500000}, {"10s", 10000000000}, {"1min", 60000000000}, {"1.5h", 5400000000000}};

    check(units_parse_time, numbers, COUNT_OF(numbers));
    refuse(units_parse_time, -EINVAL, "5|5m|0.2ns|us|-1us|99999999999999999999s");
    refuse(units_parse_time, -ERANGE, "18446744073709551615s");
}
