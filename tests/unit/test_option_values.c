/* Values of options that are more than a number or a text. An accepted value has one meaning. A
 * refusal names the option. */

#include "command_line.h"

TEST_CASE(refused)
{
    static const struct {
        const struct command *command;
        const char *option, *texts[40]; /* ends with NULL */
    } cases[] = {
        {&command_run, "engine", {"", "wier", "WIRE "}},
        /* The last value is too long: its first 31 letters would be a time. */
        {&command_run,
         "precision",
         {"", ",", "1%,", "0%", "100%", "-1%", "nan%", "inf%", "1", "0ns", "5%x", "1%%",
          "00000000000000000000000000020nsx"}},
        {&command_run, "pattern", {"", "zip", "zipf:0", "zipf:11", "stride:0"}},
        {&command_run, "working-set", {"", "0", "0Ki", "-1", "1x", "99999999999999999999"}},
        {&command_run,
         "pin",
         {"", ",", "0,", "1-0", "-1", "0-", ",0", "0,,0", "-0", "65536", "x", "0--1", "0x1", "0-x",
          "0-65535", "65535", "4095"}},
        {&command_run, "self-args", {"x", "--echo", "--bind ::1", "--read-only --help", "-h"}},
        {&command_run,
         "launches",
         {"", "0", "5x0", "0x5", "5x", "x5", "5x-1", "5x+1", "-5", "+5", "1001", "101x10", "5 x2",
          "5x2x2", "65537"}},
        {&command_run, "launch", {"", "x", "-1", "0", "2", "5x", "4095", "4294967301"}},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (const char *const *text = cases[i].texts; *text; text++)
            refuse_value(cases[i].command, cases[i].option, *text);
    assert_int_equal(parse_value(&command_run, "engine", "wier"), -EINVAL);
    assert_non_null(strstr(error.text, "did you mean 'wire'?"));
}

TEST_CASE(accepted)
{
    assert_all(
        (parse_options(&command_run, "--engine wire --precision 1% --pattern stride:4 --pin 0 "
                                     "--working-set 64Mi --launches 5"),
         0),
        (options.plan.engine->name, "wire"), (options.plan.precision.share, 0.01, 1e-12),
        (options.plan.precision.ns, 0, 0), (options.plan.working_set.pattern.stride, 4),
        (options.plan.working_set.extent.bytes, 64 << 20),
        (options.plan.working_set.extent.files, 0), (options.plan.load_request.cpu_count, 1),
        (options.plan.load_request.cpus[0], 0), (options.launches.servers, 5),
        (options.launches.clients, 0),
        (parse_options(&command_run, "--precision 20ns,0.5% --pin 0,0-0 "
                                     "--working-set 100 --launches 100x10"),
         0));
    assert_all((options.plan.precision.share, 0.005, 1e-12), (options.plan.precision.ns, 20, 0),
               (options.plan.working_set.extent.bytes, 0),
               (options.plan.working_set.extent.files, 100),
               (options.plan.load_request.cpu_count, 2), (options.launches.servers, 100),
               (options.launches.clients, 10));
}

TEST_CASE(launch)
{
    const struct launch_order order = {
        .launch = {.number = 2, .of = 3}, .seed = UINT64_MAX, .end_ns = 7, .port = 2049};
    static struct run_plan plans[SIDES] = {{.calls = 8, .maximum_ns = 100}}; /* 3 + 3 + 2 calls */

    launch_order_apply(&order, plans);
    assert_all((plans->calls, 2), (plans->deadline.at_ns, 7), (plans->target.mount_port, 2049),
               (plans->load.seed, UINT64_MAX));
}
