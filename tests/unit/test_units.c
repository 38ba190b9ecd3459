/* Numbers as people type them. */
#include "test.h"

#include "common/units.h"

struct number {
    const char *text;
    int code;
    uint64_t value;
};

static void check(int (*parse)(const char *, uint64_t *), const struct number *numbers,
                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 42;
        int code = parse(numbers[i].text, &value);

        if (code != numbers[i].code || (code == 0 && value != numbers[i].value))
            fail_msg("'%s': %d, %llu", numbers[i].text, code, (unsigned long long)value);
    }
}

TEST_CASE(count)
{
    static const struct number numbers[] = {
        {"0", 0, 0},
        {"1", 0, 1},
        {"007", 0, 7},
        {"10k", 0, 10000},
        {"10K", 0, 10000},
        {"1M", 0, 1000000},
        {"2G", 0, 2000000000},
        {"1Ki", 0, 1024},
        {"3Mi", 0, 3 << 20},
        {"1.5k", 0, 1500},
        {"0.25Ki", 0, 256},
        {"18446744073709551615", 0, UINT64_MAX},
        {"18446744073709551616", -ERANGE, 0},
        {"99999999999999999999999999", -ERANGE, 0},
        {"18446744073709551615k", -ERANGE, 0},
        {"", -EINVAL, 0},
        {"-1", -EINVAL, 0},
        {"+1", -EINVAL, 0},
        {" 1", -EINVAL, 0},
        {"1 ", -EINVAL, 0},
        {"10x", -EINVAL, 0},
        {"k", -EINVAL, 0},
        {".", -EINVAL, 0},
        {"1.", -EINVAL, 0},
        {".5k", -EINVAL, 0},
        {"1.5", -EINVAL, 0},
        {"1.0005k", -EINVAL, 0},
        {"1..5k", -EINVAL, 0},
        {"1e6", -EINVAL, 0},
        {"0x10", -EINVAL, 0},
        {"1B", -EINVAL, 0},
        {"1m", -EINVAL, 0},
        {"nan", -EINVAL, 0},
    };

    check(units_parse_count, numbers, COUNT_OF(numbers));
}

TEST_CASE(size)
{
    static const struct number numbers[] = {
        {"4096", 0, 4096},     {"4096B", 0, 4096},    {"64KiB", 0, 65536},
        {"64Ki", 0, 65536},    {"64kB", 0, 64000},    {"1MB", 0, 1000000},
        {"4k", 0, 4096},       {"4K", 0, 4096},       {"4KB", 0, 4000},
        {"1M", 0, 1048576},    {"1m", 0, 1048576},    {"2GB", 0, 2000000000},
        {"2G", 0, 2147483648}, {"2g", 0, 2147483648}, {"1.5k", 0, 1536},
        {"1MiB", 0, 1048576},  {"0.5MiB", 0, 524288}, {"2GiB", 0, UINT64_C(2) << 30},
        {"64KIB", -EINVAL, 0}, {"B", -EINVAL, 0},     {"-4096", -EINVAL, 0},
        {"1TiB", -EINVAL, 0},  {"1.3B", -EINVAL, 0},  {"", -EINVAL, 0},
    };

    check(units_parse_size, numbers, COUNT_OF(numbers));
}

TEST_CASE(time)
{
    static const struct number numbers[] = {
        {"0", 0, 0},
        {"200ns", 0, 200},
        {"2us", 0, 2000},
        {"0.2us", 0, 200},
        {"1.5ms", 0, 1500000},
        {"10s", 0, UINT64_C(10000000000)},
        {"1min", 0, UINT64_C(60000000000)},
        {"1.5h", 0, UINT64_C(5400000000000)},
        {"5", -EINVAL, 0},
        {"5m", -EINVAL, 0},
        {"0.2ns", -EINVAL, 0},
        {"us", -EINVAL, 0},
        {"-1us", -EINVAL, 0},
        {"99999999999999999999s", -EINVAL, 0},
        {"18446744073709551615s", -ERANGE, 0},
    };

    check(units_parse_time, numbers, COUNT_OF(numbers));
}
