/* Tests of plans of calls on a mount, and of plans that compare a mount with a server. */
#include "job/plan.h"

#include "command_line.h"

static struct run_plan plans[SIDES];

/* Only the side on a mount has the engine mounted; the server's side has the default engine. */
TEST_CASE(mount_and_server)
{
    assert_all((parse_options(&command_run, "/ getattr --versus a:/x"), 0),
               (plan_make_any(plans, &options, &error), 0),
               (plans[SIDE_FIRST].engine->name, "mounted"),
               (plans[SIDE_SECOND].engine->name, "wire"));
}

TEST_CASE(no_load_on_a_mount)
{
    static const char line[] = "/ getattr --file f";

    assert_int_equal(parse_options(&command_run, line), 0);
    assert_refused(plan_make_any(plans, &options, &error), line, "one call at a time");
}
