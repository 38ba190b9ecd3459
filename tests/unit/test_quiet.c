#include "test.h"

#include <errno.h>
#include <math.h>

#include "job/quiet.h"

enum { FIRST = 1, SECOND = 3, THIRD = 6, OTHER = 7 }; /* OTHER is idle, but not allowed */

static struct busyness before, after;
static cpu_set_t allowed;

/* Make processor CPU busy for BUSY of 30 ticks. */
static void set(unsigned cpu, double busy)
{
    before.busy[cpu] = 1000;
    before.all[cpu] = 5000;
    after.busy[cpu] = 1000 + busy;
    after.all[cpu] = 5030;
}

static int set_up(void **state)
{
    CPU_ZERO(&allowed);
    CPU_SET(FIRST, &allowed);
    CPU_SET(SECOND, &allowed);
    CPU_SET(THIRD, &allowed);
    set(OTHER, 0);
    return 0;
}

TEST_CASE_WITH(the_quietest_is_chosen, set_up, NULL)
{
    struct cpu_choice choice;

    set(FIRST, 6);
    set(SECOND, 3);
    set(THIRD, 9);
    choice = busyness_least(&before, &after, &allowed);
    assert_all((choice.cpu, SECOND), (choice.of, 3));
    assert_near(choice.busy_share, 0.1, 1e-9);
}

TEST_CASE_WITH(of_several_the_last, set_up, NULL)
{
    struct cpu_choice choice;

    set(FIRST, 0);
    set(SECOND, 0);
    set(THIRD, 1);
    choice = busyness_least(&before, &after, &allowed);
    assert_all((choice.cpu, SECOND), (choice.of, 3));
    assert_near(choice.busy_share, 0, 0);
}

TEST_CASE(the_only_one)
{
    const cpu_set_t all = cpu_allowed_set();
    const struct deadline over = {.at_ns = 1};
    const unsigned cpu = cpu_allowed_edge(0);
    struct cpu_choice choice;
    struct error error;

    cpu_pin(cpu);
    assert_int_equal(quiet_choose(&choice, &over, &error), 0);
    cpu_allow_set(&all);
    assert_all((choice.cpu, cpu), (choice.of, 1), (isnan(choice.busy_share)));
    if (cpu_allowed_count() > 1) {
        assert_int_equal(quiet_choose(&choice, &over, &error), -ETIME);
        assert_non_null(strstr(error.text, "--max-time"));
    }
}
