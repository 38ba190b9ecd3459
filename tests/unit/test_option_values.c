/* Values of options that are more than a number or a text. What is accepted has one meaning, and
 * what is not is refused by the option's name. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/launch_options.h"
#include "cli/option_values.h"
#include "rpc/credential.h"

static const struct option_choice flavors[] = {
    {"sys", RPC_FLAVOR_SYS}, {"krb5", RPC_FLAVOR_KRB5}, {"none", RPC_FLAVOR_NONE}, {0}};
static const struct option_entry entry = {.name = "option", .choices = flavors};
static struct error error;

static void refuse(option_parser *parse, void *member, const char *const *texts)
{
    for (; *texts; texts++) {
        if (parse(&entry, *texts, member, &error) == 0)
            fail_msg("'%s' was taken", *texts);
        assert_int_equal(error.kind, ERROR_USAGE);
        assert_ptr_equal(strstr(error.text, "--option"), error.text);
    }
}

TEST_CASE(engine)
{
    static const char *const bad[] = {"", "wier", "WIRE ", NULL};
    const struct engine_type *engine;

    assert_int_equal(option_parse_engine(&entry, "wire", &engine, &error), 0);
    assert_string_equal(engine->name, "wire");
    refuse(option_parse_engine, &engine, bad);
    assert_int_equal(option_parse_engine(&entry, "wier", &engine, &error), -EINVAL);
    assert_non_null(strstr(error.text, "did you mean 'wire'?"));
}

TEST_CASE(echo)
{
    static const char *const bad[] = {
        "",           "host",    "host:", ":1",     "host:0",
        "host:65536", "h:1x",    "::1:1", "[::1]",  "[]:1",
        "host:-1",    "host:+1", "h: 1",  "[::1:1", "host:000000000001",
        NULL};
    struct echo_address echo;

    assert_int_equal(option_parse_echo(&entry, "server:20491", &echo, &error), 0);
    assert_string_equal(echo.host, "server");
    assert_string_equal(echo.port, "20491");
    assert_int_equal(option_parse_echo(&entry, "[fd00::1]:1", &echo, &error), 0);
    assert_string_equal(echo.host, "fd00::1");
    refuse(option_parse_echo, &echo, bad);
}

TEST_CASE(precision)
{
    static const char *const bad[] = {
        "",
        ",",
        "1%,",
        "0%",
        "100%",
        "-1%",
        "nan%",
        "inf%",
        "1",
        "0ns",
        "5%x",
        "1%%",
        "00000000000000000000000000020nsx", /* whose first 31 letters are a time */
        NULL};
    struct precision precision;

    assert_int_equal(option_parse_precision(&entry, "1%", &precision, &error), 0);
    assert_near(precision.share, 0.01, 1e-12);
    assert_near(precision.ns, 0, 0);
    assert_int_equal(option_parse_precision(&entry, "20ns,0.5%", &precision, &error), 0);
    assert_near(precision.share, 0.005, 1e-12);
    assert_near(precision.ns, 20, 0);
    refuse(option_parse_precision, &precision, bad);
}

TEST_CASE(places)
{
    static const char *const bad_patterns[] = {"", "zip", "zipf:0", "zipf:11", "stride:0", NULL};
    static const char *const bad_extents[] = {"",  "0", "0Ki", "-1", "1x", "99999999999999999999",
                                              NULL};
    struct pattern pattern;
    struct nfs_extent extent;

    assert_int_equal(option_parse_pattern(&entry, "stride:4", &pattern, &error), 0);
    assert_int_equal(pattern.stride, 4);
    refuse(option_parse_pattern, &pattern, bad_patterns);
    assert_int_equal(option_parse_extent(&entry, "64Mi", &extent, &error), 0);
    assert_int_equal(extent.bytes, 64 << 20);
    assert_int_equal(extent.files, 0);
    assert_int_equal(option_parse_extent(&entry, "100", &extent, &error), 0);
    assert_int_equal(extent.bytes, 0);
    assert_int_equal(extent.files, 100);
    refuse(option_parse_extent, &extent, bad_extents);
}

TEST_CASE(shares)
{
    static const char *const bad_samples[] = {"",          "1",    "1/",           "1/0", "2/8",
                                              "1/1000001", "1/-8", "1/4294967297", NULL};
    uint32_t sample;

    assert_int_equal(option_parse_sample(&entry, "1/8", &sample, &error), 0);
    assert_int_equal(sample, 8);
    assert_int_equal(option_parse_sample(&entry, "1/1M", &sample, &error), 0);
    assert_int_equal(sample, 1000000);
    refuse(option_parse_sample, &sample, bad_samples);
}

TEST_CASE(cpus)
{
    static const char *const bad[] = {"",    ",",    "0,",      "1-0",   "-1",   "0-",
                                      ",0",  "0,,0", "-0",      "65536", "x",    "0--1",
                                      "0x1", "0-x",  "0-65535", "65535", "4095", NULL};
    struct load load;

    assert_int_equal(option_parse_cpus(&entry, "0", &load.cpus, &error), 0);
    assert_int_equal(load.cpu_count, 1);
    assert_int_equal(load.cpus[0], 0);
    assert_int_equal(option_parse_cpus(&entry, "0,0-0", &load.cpus, &error), 0);
    assert_int_equal(load.cpu_count, 2);
    refuse(option_parse_cpus, &load.cpus, bad);
}

TEST_CASE(flavors)
{
    static const char *const bad[] = {"", "sys,", "sys,sys", "krb", "krb5i", "none,sys,none", NULL};
    static struct policy policy;

    assert_int_equal(option_parse_flavors(&entry, "krb5,none", &policy.flavors, &error), 0);
    assert_int_equal(policy.flavor_count, 2);
    assert_int_equal(policy.flavors[0], RPC_FLAVOR_KRB5);
    assert_int_equal(policy.flavors[1], RPC_FLAVOR_NONE);
    refuse(option_parse_flavors, &policy.flavors, bad);
}

TEST_CASE(launches)
{
    static const char *const bad[] = {"",     "0",     "5x0",   "0x5", "5x",   "x5",
                                      "5x-1", "5x+1",  "-5",    "+5",  "1001", "101x10",
                                      "5 x2", "5x2x2", "65537", NULL};
    struct launches_request launches;

    assert_int_equal(option_parse_launches(&entry, "5", &launches, &error), 0);
    assert_int_equal(launches.servers, 5);
    assert_int_equal(launches.clients, 0);
    assert_int_equal(option_parse_launches(&entry, "100x10", &launches, &error), 0);
    assert_int_equal(launches.servers, 100);
    assert_int_equal(launches.clients, 10);
    refuse(option_parse_launches, &launches, bad);
}

/* What is no order of a measurement to its launch; and its part of the whole. */
TEST_CASE(launch)
{
    static const char *const bad[] = {"", "x", "-1", "0", "2", "5x", "4095", "4294967301", NULL};
    const struct launch_order order = {
        .launch = {.number = 2, .of = 3}, .seed = UINT64_MAX, .maximum_ns = 7, .port = 2049};
    static struct run_plan plan = {.calls = 8, .maximum_ns = 100}; /* 3, 3 and 2 calls */
    struct launch_order again = {.seed = 0};

    refuse(option_parse_launch, &again, bad);
    launch_order_apply(&order, &plan);
    assert_int_equal(plan.calls, 2);
    assert_int_equal(plan.maximum_ns, 7);
    assert_int_equal(plan.target.mount_port, 2049);
    assert_int_equal(plan.load.seed, UINT64_MAX);
}

/* The values of a sweep: lists, doublings, percentages. */

static struct sweep_range range;

static void expect(option_parser *parse, const char *text, const double *values, size_t count)
{
    assert_int_equal(parse(&entry, text, &range, &error), 0);
    assert_int_equal(range.count, count);
    for (size_t i = 0; i < count; i++)
        assert_near(range.values[i], values[i], 1e-9 * values[i]);
}

#define EXPECT(kind, text, ...)                                                                    \
    do {                                                                                           \
        const double expected[] = {__VA_ARGS__};                                                   \
        expect(option_parse_##kind, text, expected, COUNT_OF(expected));                           \
    } while (0)

TEST_CASE(sweep_lists)
{
    EXPECT(shares, "8", 8);
    EXPECT(shares, "1,2,4,8,12", 1, 2, 4, 8, 12);
    EXPECT(shares, "12,1,4", 12, 1, 4); /* in the order given */
    EXPECT(shares, "4,4,2,4", 4, 2);    /* each once */
    EXPECT(shares, "64Ki,1k,1M", 65536, 1000, 1000000);
    /* k is 1024 in a size and 1000 in a rate. */
    EXPECT(sizes, "512..4k,4kB", 512, 1024, 2048, 4096, 4000);
}

TEST_CASE(sweep_ranges)
{
    EXPECT(shares, "1..64", 1, 2, 4, 8, 16, 32, 64);
    EXPECT(shares, "1..12", 1, 2, 4, 8, 12);
    EXPECT(shares, "3..3", 3);
    EXPECT(shares, "512..2Ki,1..2", 512, 1024, 2048, 1, 2);
    assert_false(range.percent);
}

TEST_CASE(sweep_shares)
{
    EXPECT(shares, "50%", 0.5);
    EXPECT(shares, "10%..50%", 0.1, 0.2, 0.3, 0.4, 0.5);
    EXPECT(shares, "20%..90%", 0.2, 0.4, 0.6, 0.8, 0.9);
    EXPECT(shares, "10%,110%", 0.1, 1.1);
    assert_true(range.percent);
    EXPECT(shares, "10%..100%", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1);
}

TEST_CASE(sweep_refused)
{
    static const char *const bad[] = {
        "",      ",",       "1,",   ",1",  "1,,2", "0",      "0,1",    "-1",
        "x",     "1x",      "1..",  "..4", "..",   "4..1",   "1..x",   "1.5",
        "1...4", "1..2..4", "0..4", "1-4", "1 2",  "50%..1", "1..50%", "1,50%",
        "50%,1", "0%",      "-5%",  "%",   "x%",   "1%%",    "2000%",  "99999999999999999999999999",
        "nan%",  "inf%",    NULL};
    static const char *const bad_counts[] = {"4KiB", "10%", "10%..100%", NULL};
    /* Longer than any number. */
    static const char *const bad_long[] = {
        "11111111111111111111111111111111111111111111111111111111", NULL};

    refuse(option_parse_shares, &range, bad_long);
    refuse(option_parse_shares, &range, bad);
    refuse(option_parse_range, &range, bad_counts);
}

/* No more values than there is room for, in any notation. */
TEST_CASE(sweep_many)
{
    char text[1024] = "1";
    const char *const bad[] = {text, NULL}, *const bad_shares[] = {"1%..100%", NULL};

    for (int i = 2; i <= SWEEP_VALUES_MAXIMUM; i++)
        sprintf(text + strlen(text), ",%d", i);
    assert_int_equal(option_parse_range(&entry, text, &range, &error), 0);
    assert_int_equal(range.count, SWEEP_VALUES_MAXIMUM);
    strcat(text, ",64");
    assert_int_equal(option_parse_range(&entry, text, &range, &error), 0);
    strcat(text, ",65");
    refuse(option_parse_range, &range, bad);
    assert_non_null(strstr(error.text, "64"));
    refuse(option_parse_shares, &range, bad_shares);
}
