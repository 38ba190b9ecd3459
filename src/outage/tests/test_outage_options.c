/* The options that outage has beside the shared ones. */
#include "command_line.h"

extern const struct command command_outage;

static double rate(void)
{
    const struct option_entry *entry = command_outage.own;

    while (strcmp(entry->name, "rate") != 0)
        entry++;
    return *(double *)entry->own;
}

/* A value that an earlier command line gave does not stay. */
TEST_CASE(each_parse_begins_with_the_defaults)
{
    assert_all((parse_options(&command_outage, "a:/x --rate 50 --size 16"), 0), (rate(), 50, 0),
               (options.plan.read_size, 16));
    assert_all((parse_options(&command_outage, "a:/x"), 0), (rate(), 20, 0),
               (options.plan.read_size, 4096));
}

TEST_CASE(refused)
{
    assert_refused(parse_options(&command_outage, "a:/x --rate 0"), "--rate 0", "1 or more");
    assert_refused(parse_options(&command_run, "a:/x --gap 1s"), "--gap",
                   "it is an option of 'nfsbench outage'");
}
