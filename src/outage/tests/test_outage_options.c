/* Options of outage in addition to the shared ones, and the plan of a run. */
#include "command_line.h"
#include "job/plan.h"

extern const struct command command_outage;

static double rate(void)
{
    const struct option_entry *entry = command_outage.own;

    while (strcmp(entry->name, "rate") != 0)
        entry++;
    return *(double *)entry->own;
}

/* A value from an earlier command line is not kept. */
TEST_CASE(each_parse_begins_with_the_defaults)
{
    assert_all((parse_options(&command_outage, "a:/x --rate 50 --size 16"), 0), (rate(), 50, 0),
               (options.plan.read_size, 16));
    assert_all((parse_options(&command_outage, "a:/x"), 0), (rate(), 20, 0),
               (options.plan.read_size, 4096));
}

/* The default timeout depends on the transport. Without --max-time, the probe has no end. */
TEST_CASE(times)
{
    static struct run_plan plan;
    char procedures[] = "write,commit";
    static const struct {
        const char *line;
        uint64_t timeout_ns, maximum_ns;
    } cases[] = {{"a:/x", 5 * UINT64_C(1000000000), 0},
                 {"a:/x --proto udp", 1000000000, 0},
                 {"a:/x --timeout 2s --max-time 3s", 2000000000, 3000000000}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_all(
            (parse_options(&command_outage, cases[i].line), 0),
            (plan_make_set_up(&plan, &options, procedures, &error), 0),
            (plan.timeout_ns, cases[i].timeout_ns), (plan.maximum_ns, cases[i].maximum_ns),
            (plan.deadline.at_ns, cases[i].maximum_ns ? plan.began_ns + cases[i].maximum_ns : 0));
    }
}

TEST_CASE(refused)
{
    assert_refused(parse_options(&command_outage, "a:/x --rate 0"), "--rate 0", "1 or more");
    assert_refused(parse_options(&command_run, "a:/x --gap 1s"), "--gap",
                   "which is an option of 'nfsbench outage'");
}
