/* The options that make a load: the plan that they give, and which are refused. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "common/cpu.h"
#include "run/load_run.h"
#include "run/plan.h"

static struct load load;
static struct error error;

/* The load that LINE, split at spaces, gives with ENGINE. */
static int apply(const char *engine, const char *line)
{
    static struct options options;
    char copy[256], program[] = "nfsbench", *argv[16] = {program};
    int argc = 1, code;

    memset(&error, 0, sizeof error);
    memset(&load, 0, sizeof load);
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    code = options_parse(&options, COMMAND_RUN, argc, argv, &error);
    return code
               ? code
               : load_settle(&options.plan.load_request, engine_find(engine), false, &load, &error);
}

static void refuse(const char *engine, const char *line, const char *what)
{
    assert_int_equal(apply(engine, line), -EINVAL);
    assert_int_equal(error.kind, ERROR_USAGE);
    if (!strstr(error.text, what))
        fail_msg("'%s' does not say '%s'", error.text, what);
}

TEST_CASE(none)
{
    assert_int_equal(apply("wire", ""), 0);
    assert_true(load_is_single(&load));
    assert_int_equal(load.threads, 1);
    assert_int_equal(load_in_flight(&load), 1);
    assert_int_equal(load.cpu_count, 0);
}

TEST_CASE(shape)
{
    assert_int_equal(apply("wire", "--clients 6 --connections 2 --depth 16 --threads 3"), 0);
    assert_false(load_is_single(&load));
    assert_int_equal(load_in_flight(&load), 6 * 2 * 16);
    assert_int_equal(load.threads, 3);
    assert_int_equal(apply("tirpc", "--clients 3 --connections 2"), 0);
    assert_int_equal(load.threads, 6); /* one for each connection */
    assert_int_equal(apply("wire", "--clients 1000"), 0);
    assert_int_equal(load.threads, cpu_allowed_count());
}

TEST_CASE(rate)
{
    assert_int_equal(apply("wire", "--rate 5000"), 0);
    assert_near(load.rate, 5000, 0);
    assert_int_equal(load.arrival, ARRIVALS_POISSON);
    assert_true(load.depth >= 1024); /* no call waits for another */
    assert_int_equal(apply("wire", "--rate 5000 --arrival constant --depth 2"), 0);
    assert_int_equal(load.arrival, ARRIVALS_CONSTANT);
    assert_int_equal(load.depth, 2);
}

TEST_CASE(refused)
{
    refuse("wire", "--depth 65537", "65536");
    refuse("tirpc", "--depth 2", "--depth");
    refuse("tirpc", "--rate 100", "--rate");
    refuse("wire", "--rate 1099511627776", "--rate");
    refuse("wire", "--clients 100000 --connections 100000", "connections");
    refuse("wire", "--clients 65536 --connections 65536", "connections");
    refuse("wire", "--threads 2", "--threads");
    refuse("tirpc", "--clients 3 --threads 2", "--threads");
    refuse("tirpc", "--clients 5000", "threads");
}

TEST_CASE(pin)
{
    char line[128];

    snprintf(line, sizeof line, "--clients 2 --pin %u,%u", cpu_allowed_edge(0),
             cpu_allowed_edge(1));
    assert_int_equal(apply("wire", line), 0);
    assert_int_equal(load.cpu_count, 2);
    assert_int_equal(load.cpus[0], cpu_allowed_edge(0));
    assert_int_equal(load.cpus[1], cpu_allowed_edge(1));
    assert_int_equal(load.threads, 2);
}

/* A block fills its connections several times, and a run has several blocks if possible. */
TEST_CASE(block)
{
    assert_int_equal(apply("wire", "--clients 4 --depth 16"), 0);
    assert_int_equal(load_block_minimum(&load), 4 * 64);
    assert_int_equal(load_block(&load, 0), 32 * 64);
    assert_int_equal(load_block(&load, 20000), 1000);
    assert_int_equal(load_block(&load, 10), 4 * 64);
    assert_int_equal(apply("wire", "--rate 5000"), 0);
    assert_int_equal(load_block(&load, 0), 250);
    assert_int_equal(apply("wire", "--rate 20"), 0);
    assert_int_equal(load_block(&load, 0), 10); /* half a second */
    assert_int_equal(load_block(&load, 10000), 10);
    assert_int_equal(apply("wire", "--rate 20 --clients 50"), 0);
    assert_int_equal(load_block(&load, 0), 100); /* so that each connection has some */
}
