/* When warm-up and rounds of an explanation end, by a clock that the test sets. */
#include <math.h>

#include "explain/explain_run.h"
#include "test.h"

#define S UINT64_C(1000000000)

static uint64_t now_ns;

static uint64_t fake_clock(void)
{
    return now_ns;
}

static uint64_t (*real_clock)(void);

FIXTURE(set_clock, real_clock = deadline_clock, deadline_clock = fake_clock, 0)
FIXTURE(restore_clock, deadline_clock = real_clock, 0)
TEST_GROUP(set_clock, restore_clock)

static bool precise;

static bool is_precise(const struct explain_run *run)
{
    return precise;
}

static const struct explain_method method = {.size = sizeof(struct explain_run),
                                             .is_precise = is_precise};
static struct explain_plan plan;
static struct explain_run run;
static struct block_source source;
static struct error error;

/* Schedule a run with blocks of BLOCK calls, or of fewer if these take too long. CALL_NS is the
 * time of one call of every series, summed. The clock is at 2 s; the command began at 1 s and may
 * take 20 s. */
static int begin_run(double call_ns, uint32_t block)
{
    precise = false;
    now_ns = 2 * S;
    plan = (struct explain_plan){
        .run = {.began_ns = S, .maximum_ns = 20 * S, .deadline.at_ns = 21 * S, .quiet = true}};
    run = (struct explain_run){.method = &method, .plan = &plan};
    run.session.plan = &plan.run;
    run.session.set.block = block;
    run.times = (struct schedule_times){
        .call_ns = call_ns, .block = block, .least = 1, .warms_up = true, .end_ns = S / 5};
    run.schedule.compares = true;
    source = (struct block_source){0};
    explain_time_source(&run, &source);
    return explain_time_schedule(&run, &error);
}

static void one_round(uint64_t ns)
{
    now_ns += ns;
}

TEST_CASE(rounds_end_before_the_deadline)
{
    size_t rounds = 0;

    assert_int_equal(begin_run(0.5e9, 100), 0);
    assert_int_equal(run.session.set.block, 1);
    source.measuring_begins(&run);
    do
        one_round(S / 2);
    while (!source.enough(&run, ++rounds));
    assert_true(now_ns <= 21 * S - run.times.end_ns);
    assert_true(now_ns + S / 2 > 21 * S - run.times.end_ns - S / 2);
    assert_int_equal(run.session.measuring.end, MEASURING_END_TIME);
}

TEST_CASE(slower_rounds_end_before_the_deadline_too)
{
    size_t rounds = 0;

    assert_int_equal(begin_run(0.1e9, 1), 0);
    source.measuring_begins(&run);
    do
        one_round(5 * S);
    while (!source.enough(&run, ++rounds));
    assert_int_equal(rounds, 3);
}

TEST_CASE(precise_parts_end_the_rounds_at_the_second_look)
{
    size_t rounds = 0;

    assert_int_equal(begin_run(1e6, 1), 0);
    source.measuring_begins(&run);
    precise = true;
    do
        one_round(1000000);
    while (!source.enough(&run, ++rounds));
    assert_int_equal(rounds, 30);
    assert_int_equal(run.session.measuring.end, MEASURING_END_PRECISION);
}

TEST_CASE(a_warm_up_has_its_part_of_the_time)
{
    assert_int_equal(begin_run(1e6, 1), 0);
    assert_false(plan.run.no_warmup);
    assert_false(source.warm(&run, false));
    assert_true(source.warm(&run, true));
    now_ns += 19 * S / 4;
    assert_true(source.warm(&run, false));
}

TEST_CASE(short_of_time_there_is_no_warm_up)
{
    assert_int_equal(begin_run(0.8e9, 1), 0);
    assert_true(plan.run.no_warmup);
}

TEST_CASE(too_little_time_is_refused_with_the_least)
{
    assert_int_equal(begin_run(5e9, 1), -EOVERFLOW);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "use --max-time 52s"));
}

/* The shortest round has one block of each op. Under load a block has four times as many calls as
 * can be in flight; at a rate, the calls of a tenth of a second. */
TEST_CASE(the_shortest_round_follows_from_the_round_trip)
{
    const struct nfs_procedure *null = nfs_procedure_find("null");
    struct run_plan two = {.ops = {null, null}, .op_count = 2, .no_baseline = true};
    uint32_t block;

    assert_near(explain_time_shortest_round(&two, 1e6, &block), 2e6, 1);
    two.load = (struct load){.clients = 4, .connections = 1, .depth = 2};
    assert_near(explain_time_shortest_round(&two, 1e6, &block), 8e6, 1);
    assert_int_equal(block, 32);
    two.load.rate = 50;
    assert_near(explain_time_shortest_round(&two, 1e6, &block), 204e6, 1);
}

TEST_CASE(with_a_number_of_calls_nothing_is_shortened)
{
    assert_int_equal(begin_run(1e6, 1), 0);
    plan.run.calls = 1000000;
    plan.run.deadline.at_ns = 0;
    plan.run.no_warmup = false;
    run.session.set.block = 100;
    assert_int_equal(explain_time_schedule(&run, &error), 0);
    assert_int_equal(run.session.set.block, 100);
    assert_false(plan.run.no_warmup);
    source.measuring_begins(&run);
    now_ns += 1000 * S;
    assert_false(source.enough(&run, 1));
}

/* By Student's t, 10 values around 100 with a standard error of 1 have an interval of 100 +- 2.26:
 * its width, 4.52, is less than 4 % of 114 (4.56), but not of 112 (4.48). */
TEST_CASE(a_mean_is_precise_beside_the_whole)
{
    const double values[10] = {97, 103, 97, 103, 97, 103, 97, 103, 97, 103};
    const struct precision precision = {.share = 0.04};

    assert_true(explain_mean_is_precise(&precision, values, 10, 114));
    assert_false(explain_mean_is_precise(&precision, values, 10, 112));
    assert_false(explain_mean_is_precise(&precision, values, 1, 1000));
}
