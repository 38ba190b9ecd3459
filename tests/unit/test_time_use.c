/* At a low rate, the time that a number of calls needs depends on the schedule that was drawn. */
#include "run/time_use.h"

#include "run/plan.h"
#include "test.h"

static const double s = 1e9;

enum {
    CALLS = 2 * (1 + TIME_PLAN_ROUNDS_LEAST)
}; /* calls of both series in a warm-up round and in the minimum number of rounds */

static struct time_needs needs;

/* Return the plan of two series, with one call per second in all, for LEFT_NS. */
static struct time_plan make_time_plan(uint64_t seed, enum arrivals_kind arrival, double left_ns)
{
    const struct run_plan plan = {.load = {.rate = 1, .arrival = arrival, .seed = seed}};

    needs = (struct time_needs){.left_ns = left_ns,
                                .ops_ns = 2 * s,
                                .round_least_ns = 2 * s,
                                .block = 1,
                                .block_least = 1,
                                .launches = 1,
                                .parts = 1,
                                .warms_up = true};
    return time_use_make(&plan, &needs);
}

/* Return the first seed with which a schedule of CALLS calls takes more than LIMIT_NS (if LONGER)
 * or at most LIMIT_NS. */
static uint64_t find_seed(bool longer, double limit_ns)
{
    struct load load = {.rate = 1, .arrival = ARRIVALS_POISSON, .seed = 1};

    while ((load_schedule_ns(&load, CALLS) > limit_ns) != longer)
        load.seed++;
    return load.seed;
}

TEST_CASE(even_calls_fit_by_their_gaps)
{
    assert_near(make_time_plan(1, ARRIVALS_CONSTANT, 18 * s).least_ns, 0, 0);
    assert_near(make_time_plan(1, ARRIVALS_CONSTANT, 17 * s).least_ns, 18 * s, 1);
}

/* A schedule that takes too long is refused even if an average schedule fits. The plan's least_ns
 * is far above the 18 s of an average schedule, so that it suffices for most schedules. */
TEST_CASE(a_long_schedule_is_refused)
{
    const struct time_plan plan = make_time_plan(find_seed(true, 20 * s), ARRIVALS_POISSON, 18 * s);

    assert_true(plan.least_ns > 26 * s);
    assert_true(needs.ops_ns > 2 * s);
}

TEST_CASE(a_short_schedule_fits)
{
    assert_near(make_time_plan(find_seed(false, 15 * s), ARRIVALS_POISSON, 16 * s).least_ns, 0, 0);
}
