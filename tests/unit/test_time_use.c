/* What there is time for at a low rate follows from the schedule that was drawn. */
#include "run/time_use.h"

#include "run/plan.h"
#include "test.h"

static const double s = 1e9;

enum {
    CALLS = 2 * (1 + TIME_PLAN_ROUNDS_LEAST)
}; /* of two series: a warm-up round, and the least */

static struct time_needs needs;

/* The plan of one call a second of each of two series, in LEFT_NS. */
static struct time_plan make(uint64_t seed, enum arrivals_kind arrival, double left_ns)
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

/* The first seed whose schedule of CALLS calls takes more or, if not LONGER, less than LIMIT_NS. */
static uint64_t find_seed(bool longer, double limit_ns)
{
    struct load load = {.rate = 1, .arrival = ARRIVALS_POISSON, .seed = 1};

    while ((load_schedule_ns(&load, CALLS) > limit_ns) != longer)
        load.seed++;
    return load.seed;
}

TEST_CASE(even_calls_fit_by_their_gaps)
{
    assert_near(make(1, ARRIVALS_CONSTANT, 18 * s).least_ns, 0, 0);
    assert_near(make(1, ARRIVALS_CONSTANT, 17 * s).least_ns, 18 * s, 1);
}

/* A long schedule is refused where the mean would fit, and the time that is named does for most. */
TEST_CASE(a_long_schedule_is_refused)
{
    const struct time_plan plan = make(find_seed(true, 20 * s), ARRIVALS_POISSON, 18 * s);

    assert_true(plan.least_ns > 26 * s);
    assert_true(needs.ops_ns > 2 * s);
}

TEST_CASE(a_short_schedule_fits)
{
    assert_near(make(find_seed(false, 15 * s), ARRIVALS_POISSON, 16 * s).least_ns, 0, 0);
}
