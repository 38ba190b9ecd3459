/* A plan gives up steps of a measurement in a fixed order if the time is short. */
#include "measure/time_plan.h"
#include "test.h"

static const double us = 1e3, ms = 1e6, s = 1e9;

/* Return the needs of ten launches on loopback, with time for everything. */
static struct time_needs loopback(void)
{
    return (struct time_needs){.left_ns = 10 * s,
                               .setup_ns = 15 * ms,
                               .end_ns = 30 * ms,
                               .ops_ns = 30 * us,
                               .control_ns = 10 * us,
                               .model_ns = 90 * us,
                               .ledger_ns = 10 * ms,
                               .block = 100,
                               .block_least = 1,
                               .launches = 10,
                               .parts = 1,
                               .warms_up = true};
}

/* Return the needs of calls that take ROUND_TRIP_NS, in blocks of five, with LEFT_NS left. */
static struct time_needs distant(double round_trip_ns, double left_ns)
{
    struct time_needs needs = loopback();

    needs.left_ns = left_ns;
    needs.setup_ns = 12 * round_trip_ns;
    needs.end_ns = 4 * round_trip_ns;
    needs.ops_ns = 2 * round_trip_ns;
    needs.control_ns = round_trip_ns;
    needs.model_ns = 12 * round_trip_ns;
    needs.ledger_ns = 100 * round_trip_ns;
    needs.block = 5;
    return needs;
}

/* Return the ns that PLAN takes after the first set-up, with ROUNDS rounds in each part. */
static double taken(const struct time_needs *needs, const struct time_plan *plan, double rounds)
{
    const double parts = (double)plan->launches * needs->parts;
    const double end_ns = needs->end_ns + (plan->ledger ? needs->ledger_ns : 0);
    const double warmup_ns = (plan->whole_warmup ? 10 : 1) * plan->round_ns;

    return parts * (warmup_ns + rounds * plan->round_ns + end_ns) + (parts - 1) * needs->setup_ns;
}

TEST_CASE(nothing_is_given_up_where_the_time_is_enough)
{
    const struct time_needs needs = loopback();
    const struct time_plan plan = time_plan_make(&needs);

    assert_true(time_plan_is_complete(&plan, &needs));
    assert_all((plan.launches, 10), (plan.block, 100), (plan.least_ns, 0, 0));
    assert_true(plan.rounds >= TIME_PLAN_ROUNDS);
    assert_true(plan.share_ns * 10 <= needs.left_ns);
    assert_true(plan.share_ns * 10 > 0.9 * needs.left_ns);
}

/* Return the number of steps that PLAN has given up. A plan that has given up none has ten
 * launches, and blocks of five calls. */
static unsigned given_up(const struct time_plan *plan)
{
    const bool all[] = {!plan->whole_warmup, !plan->model, !plan->control, !plan->ledger,
                        plan->rounds < TIME_PLAN_ROUNDS};
    unsigned count = 10 - plan->launches + (5 - plan->block);

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        count += all[i];
    return count;
}

/* With less time, a plan gives up at least as many steps. */
TEST_CASE(it_is_given_up_in_order)
{
    unsigned steps = 0, before = 0;

    for (double left_ns = 2000 * s; left_ns > 1 * s; left_ns *= 0.97) {
        const struct time_needs needs = distant(40 * ms, left_ns);
        const struct time_plan plan = time_plan_make(&needs);
        const unsigned count = given_up(&plan);

        assert_true(plan.model || !plan.whole_warmup);
        assert_true(plan.control || !plan.model);
        assert_true(plan.launches == 10 || !plan.control);
        assert_true(plan.block == 5 || plan.launches == 1);
        assert_true(plan.rounds >= TIME_PLAN_ROUNDS || plan.block == 1);
        assert_true(count >= before);
        steps += count > before;
        before = count;
    }
    assert_true(steps >= 8);
}

TEST_CASE(what_is_planned_fits)
{
    static const double round_trips[] = {10e3, 100e3, 1e6, 20e6, 40e6, 150e6};
    static const double times[] = {5e9, 10e9, 30e9};

    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 3; j++) {
            const struct time_needs needs = distant(round_trips[i], times[j]);
            const struct time_plan plan = time_plan_make(&needs);

            assert_true(plan.rounds >= TIME_PLAN_ROUNDS_LEAST);
            assert_true(taken(&needs, &plan, plan.rounds) <= needs.left_ns * 1.001);
        }
}

TEST_CASE(too_little_time_is_refused_with_what_would_do)
{
    struct time_needs needs = distant(150 * ms, 2 * s);
    struct time_plan plan = time_plan_make(&needs);

    assert_true(plan.least_ns > needs.left_ns);
    needs.left_ns = plan.least_ns * 1.001;
    plan = time_plan_make(&needs);
    assert_int_equal(plan.rounds, TIME_PLAN_ROUNDS_LEAST);
    assert_true(plan.least_ns <= 0);
}

TEST_CASE(what_the_user_chose_stays)
{
    struct time_needs needs = distant(40 * ms, 20 * s);
    struct time_plan plan;

    needs.launches_fixed = true;
    needs.launches = 4;
    plan = time_plan_make(&needs);
    assert_int_equal(plan.launches, 4);
    needs.block_least = needs.block;
    needs.left_ns = 10 * s;
    plan = time_plan_make(&needs);
    assert_int_equal(plan.block, 5);
    assert_true(plan.least_ns > needs.left_ns);
}

TEST_CASE(further_set_ups_take_a_fifth_at_most)
{
    struct time_needs needs = loopback();
    struct time_plan plan;

    needs.setup_ns = 0.4 * s;
    plan = time_plan_make(&needs);
    assert_int_equal(plan.launches, 5);
    needs.setup_ns = 0.9 * s;
    plan = time_plan_make(&needs);
    assert_int_equal(plan.launches, 3);
    /* There is time for two launches, but the interval of two means is too wide. */
    needs.setup_ns = 1.5 * s;
    plan = time_plan_make(&needs);
    assert_int_equal(plan.launches, 1);
}
