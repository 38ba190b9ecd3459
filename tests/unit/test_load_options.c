/* The options that make a load: what they become, and what is refused. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/load_options.h"
#include "common/cpu.h"

static struct load_options options;
static struct load load;
static struct error error;

static int set_up(void **state)
{
    options = LOAD_OPTIONS_NONE;
    return 0;
}

static int apply(const char *engine)
{
    memset(&error, 0, sizeof error);
    return load_options_apply(&options, engine_find(engine), false, &load, &error);
}

static void refuse(const char *engine, const char *what)
{
    assert_int_equal(apply(engine), -EINVAL);
    assert_int_equal(error.kind, ERROR_USAGE);
    if (!strstr(error.text, what))
        fail_msg("'%s' does not say '%s'", error.text, what);
    options = LOAD_OPTIONS_NONE;
}

static void test_none(void **state)
{
    assert_int_equal(apply("wire"), 0);
    assert_true(load_is_single(&load));
    assert_int_equal(load.threads, 1);
    assert_int_equal(load_in_flight(&load), 1);
    assert_int_equal(load.cpu_count, 0);
}

static void test_shape(void **state)
{
    options.clients = 6;
    options.connections = 2;
    options.depth = 16;
    options.threads = 3;
    assert_int_equal(apply("wire"), 0);
    assert_false(load_is_single(&load));
    assert_int_equal(load_in_flight(&load), 6 * 2 * 16);
    assert_int_equal(load.threads, 3);
    options = LOAD_OPTIONS_NONE;
    options.clients = 3;
    options.connections = 2;
    assert_int_equal(apply("tirpc"), 0);
    assert_int_equal(load.threads, 6); /* one for each connection */
    options = LOAD_OPTIONS_NONE;
    options.clients = 1000;
    assert_int_equal(apply("wire"), 0);
    assert_int_equal(load.threads, cpu_allowed_count());
}

static void test_rate(void **state)
{
    options.rate = 5000;
    assert_int_equal(apply("wire"), 0);
    assert_near(load.rate, 5000, 0);
    assert_int_equal(load.arrival, ARRIVALS_POISSON);
    assert_true(load.depth >= 1024); /* no call waits for another */
    options.arrival = "constant";
    options.depth = 2;
    assert_int_equal(apply("wire"), 0);
    assert_int_equal(load.arrival, ARRIVALS_CONSTANT);
    assert_int_equal(load.depth, 2);
}

static void test_refused(void **state)
{
    options.clients = 0, refuse("wire", "--clients");
    options.connections = 0, refuse("wire", "--connections");
    options.depth = 0, refuse("wire", "--depth");
    options.threads = 0, refuse("wire", "--threads");
    options.rate = 0, refuse("wire", "--rate");
    options.depth = 65537, refuse("wire", "65536");
    options.depth = 2, refuse("tirpc", "--depth");
    options.rate = 100, refuse("tirpc", "--rate");
    options.rate = UINT64_C(1) << 40, refuse("wire", "--rate");
    options.arrival = "poisson", refuse("wire", "--arrival");
    options.rate = 100, options.arrival = "rare", refuse("wire", "rare");
    options.clients = options.connections = 100000, refuse("wire", "connections");
    options.clients = options.connections = 65536, refuse("wire", "connections");
    options.threads = 2, refuse("wire", "--threads");
    options.clients = 3, options.threads = 2, refuse("tirpc", "--threads");
    options.clients = 5000, refuse("tirpc", "threads");
}

static void test_pin(void **state)
{
    static const char *const words[] = {"",    ",",    "x",   "0,", ",0",    "0-", "-0",
                                        "1-0", "0,,0", "0-x", "-1", "99999", "0 1"};
    char own[64];

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        options.pin = words[i];
        refuse("wire", "--pin");
    }
    options.pin = "4095", refuse("wire", "4095");
    snprintf(own, sizeof own, "%u,%u", cpu_allowed_edge(0), cpu_allowed_edge(1));
    options.pin = own;
    options.clients = 2;
    assert_int_equal(apply("wire"), 0);
    assert_int_equal(load.cpu_count, 2);
    assert_int_equal(load.cpus[0], cpu_allowed_edge(0));
    assert_int_equal(load.cpus[1], cpu_allowed_edge(1));
    assert_int_equal(load.threads, 2);
}

/* A block fills its connections several times over, and a run has several blocks where it can. */
static void test_block(void **state)
{
    options.clients = 4;
    options.depth = 16;
    assert_int_equal(apply("wire"), 0);
    assert_int_equal(load_block_minimum(&load), 4 * 64);
    assert_int_equal(load_block(&load, 0), 32 * 64);
    assert_int_equal(load_block(&load, 20000), 1000);
    assert_int_equal(load_block(&load, 10), 4 * 64);
    options = LOAD_OPTIONS_NONE;
    options.rate = 5000;
    assert_int_equal(apply("wire"), 0);
    assert_int_equal(load_block(&load, 0), 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_none, set_up), cmocka_unit_test_setup(test_shape, set_up),
        cmocka_unit_test_setup(test_rate, set_up), cmocka_unit_test_setup(test_refused, set_up),
        cmocka_unit_test_setup(test_pin, set_up),  cmocka_unit_test_setup(test_block, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
