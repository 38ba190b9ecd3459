#include "target/server_command.h"
#include "test.h"

#define S UINT64_C(1000000000)

static uint64_t fake_clock(void)
{
    return 100 * S;
}

static uint64_t (*real_clock)(void);

FIXTURE(set_clock, real_clock = deadline_clock, deadline_clock = fake_clock, 0)
FIXTURE(restore_clock, deadline_clock = real_clock, 0)
TEST_GROUP(set_clock, restore_clock)

static uint64_t stop_ns(uint64_t at_ns)
{
    return server_command_stop_ns(&(struct deadline){.at_ns = at_ns});
}

TEST_CASE(the_time_to_end_is_a_part_of_what_is_left)
{
    assert_all((stop_ns(0), 5 * S), (stop_ns(400 * S), 5 * S), (stop_ns(130 * S), 3 * S));
    assert_all((stop_ns(101 * S), S), (stop_ns(99 * S), S));
}
