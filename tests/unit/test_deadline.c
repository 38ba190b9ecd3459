/* A deadline ends loops and sleeps, by a clock that the test sets. */
#include <errno.h>

#include "common/deadline.h"
#include "test.h"

static uint64_t now_ns, step_ns; /* every reading moves the clock on by step_ns */
static volatile sig_atomic_t stop;

static uint64_t fake_clock(void)
{
    return now_ns += step_ns;
}

static uint64_t (*real_clock)(void);

FIXTURE(set_clock, real_clock = deadline_clock, deadline_clock = fake_clock, 0)
FIXTURE(restore_clock, deadline_clock = real_clock, 0)
TEST_GROUP(set_clock, restore_clock)

static void begin(uint64_t step)
{
    now_ns = 1000;
    step_ns = step;
    stop = 0;
}

TEST_CASE(the_time_is_over_at_its_point)
{
    const struct deadline deadline = {.at_ns = 3000};

    begin(0);
    assert_int_equal(deadline_left_ns(&deadline), 2000);
    assert_int_equal(deadline_at_most(&deadline, 5000), 2000);
    assert_int_equal(deadline_at_most(&deadline, 500), 500);
    assert_false(deadline_is_over(&deadline));
    now_ns = 3000;
    assert_int_equal(deadline_left_ns(&deadline), 0);
    assert_true(deadline_is_over(&deadline));
}

TEST_CASE(without_a_time_only_a_signal_ends_it)
{
    const struct deadline deadline = {.stop = &stop};

    begin(0);
    now_ns = UINT64_MAX - 1;
    assert_false(deadline_is_over(&deadline));
    assert_true(deadline_left_ns(&deadline) == DEADLINE_NEVER);
    stop = 1;
    assert_true(deadline_is_over(&deadline));
    assert_true(deadline_is_stopped(&deadline));
}

TEST_CASE(a_part_never_ends_after_the_whole)
{
    const struct deadline whole = {.at_ns = 5000}, never = {.stop = &stop};

    begin(0);
    assert_int_equal(deadline_within(&whole, 1000).at_ns, 2000);
    assert_int_equal(deadline_within(&whole, 9000).at_ns, 5000);
    assert_int_equal(deadline_within(&never, 9000).at_ns, 10000);
    assert_ptr_equal(deadline_within(&never, 9000).stop, &stop);
    assert_int_equal(deadline_within(NULL, 9000).at_ns, 10000);
    assert_int_equal(deadline_half(&whole).at_ns, 3000);
    assert_int_equal(deadline_half(&never).at_ns, 0);
    assert_int_equal(deadline_part(&whole, 4).at_ns, 2000);
}

TEST_CASE(sleeps_end_at_their_time_the_deadline_or_a_signal)
{
    struct deadline deadline = {.at_ns = 1000 + 1000 * 1000, .stop = &stop};

    begin(1000);
    assert_int_equal(deadline_sleep(&deadline, 10000), 0);
    assert_true(now_ns >= 11000 && now_ns < 100000);
    assert_int_equal(deadline_sleep(&deadline, 10 * 1000 * 1000), -ETIME);
    assert_true(now_ns >= deadline.at_ns);
    begin(1000);
    stop = 1;
    assert_int_equal(deadline_sleep(&deadline, 10 * 1000 * 1000), -EINTR);
}
