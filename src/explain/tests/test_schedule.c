/* The schedule of an explanation: with enough time; with less, when things are left out in a fixed
 * order; and with too little, when the run is refused. */
#include "explain/schedule.h"
#include "measure/time_plan.h"
#include "test.h"

#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

/* Return the times for one op, which is called with and without timestamps. A call takes TRIP_NS.
 * The command began SPENT_NS ago and may take MAXIMUM_NS from its beginning. */
static struct schedule_times times_of(uint64_t trip_ns, uint64_t spent_ns, uint64_t maximum_ns)
{
    return (struct schedule_times){.call_ns = 2 * (double)trip_ns,
                                   .spare = 0.5,
                                   .block = 100,
                                   .least = 1,
                                   .warms_up = true,
                                   .spent_ns = spent_ns,
                                   .left_ns = maximum_ns - spent_ns,
                                   .end_ns = 200 * MS};
}

static double round_ns(const struct schedule *schedule, const struct schedule_times *times)
{
    return (times->call_ns * schedule->block + times->round_ns) *
           (schedule->compares ? 1 : 1 - times->spare);
}

TEST_CASE(quick_calls_have_full_blocks_and_many_rounds)
{
    const struct schedule_times times = times_of(12000, 100 * MS, 20 * S);
    struct schedule schedule;

    assert_true(schedule_make(&schedule, &times));
    assert_int_equal(schedule.block, 100);
    assert_true(schedule.warms_up && schedule.compares && schedule.rounds > 5000);
    assert_false(schedule_is_short(&schedule, &times));
}

/* A round takes at most a tenth of a second, unless one call of each series takes longer. */
TEST_CASE(slow_calls_have_short_blocks)
{
    const struct {
        uint64_t trip_ns;
        uint32_t block;
    } cases[] = {{1 * MS, 50}, {20 * MS, 2}, {40 * MS, 1}, {150 * MS, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct schedule_times times = times_of(cases[i].trip_ns, S / 2, 20 * S);
        struct schedule schedule;

        assert_true(schedule_make(&schedule, &times));
        assert_int_equal(schedule.block, cases[i].block);
        assert_true(schedule.warms_up && schedule.rounds >= TIME_PLAN_ROUNDS);
    }
}

TEST_CASE(things_are_given_up_in_their_order)
{
    unsigned stage = 0, stages = 0;

    for (uint64_t maximum = 20 * S; maximum > S; maximum -= 100 * MS) {
        const struct schedule_times times = times_of(20 * MS, S, maximum);
        struct schedule schedule;
        unsigned now;

        if (!schedule_make(&schedule, &times))
            break;
        now = schedule.warms_up                     ? 0
              : schedule.block > 1                  ? 1
              : schedule.rounds >= TIME_PLAN_ROUNDS ? 2
              : schedule.compares                   ? 3
                                                    : 4;
        assert_true(now >= stage);
        stages |= 1U << now;
        stage = now;
        assert_int_equal(schedule_is_short(&schedule, &times), now > 0);
    }
    assert_int_equal(stages, 0x1f);
}

/* A plan fits into the time, and has at least 8 rounds. */
TEST_CASE(a_schedule_fits)
{
    for (uint64_t trip = MS / 10; trip < 300 * MS; trip = trip * 3 / 2)
        for (uint64_t maximum = 2 * S; maximum < 40 * S; maximum += S) {
            const struct schedule_times times = times_of(trip, S, maximum);
            struct schedule schedule;
            const bool fits = schedule_make(&schedule, &times);
            const double room = (double)times.left_ns - (double)times.end_ns;

            assert_int_equal(fits, maximum >= schedule.least_ns);
            if (!fits)
                continue;
            assert_true(schedule.rounds >= TIME_PLAN_ROUNDS_LEAST);
            assert_true((double)schedule.rounds * round_ns(&schedule, &times) <= room);
            if (maximum > schedule.whole_ns)
                assert_false(schedule_is_short(&schedule, &times));
        }
}

/* With --max-time WHOLE_NS, nothing is left out. With --max-time LEAST_NS, the minimum fits. */
TEST_CASE(the_times_that_are_named_do)
{
    struct schedule_times times = times_of(150 * MS, 2 * S, 3 * S);
    struct schedule first, schedule;

    assert_false(schedule_make(&first, &times));
    times.left_ns = first.whole_ns - times.spent_ns + 1;
    assert_true(schedule_make(&schedule, &times));
    assert_false(schedule_is_short(&schedule, &times));
    times.left_ns = first.least_ns - times.spent_ns + 1;
    assert_true(schedule_make(&schedule, &times));
    assert_int_equal(schedule.rounds, TIME_PLAN_ROUNDS_LEAST);
    assert_false(schedule.compares);
    times.left_ns = first.least_ns * 9 / 10 - times.spent_ns;
    assert_false(schedule_make(&schedule, &times));
}

TEST_CASE(without_a_spare_part_rounds_are_whole)
{
    struct schedule_times times = times_of(150 * MS, S, 5 * S);
    struct schedule schedule;

    times.spare = 0;
    assert_true(schedule_make(&schedule, &times));
    assert_true(schedule.compares);
    times.left_ns = 2 * S;
    assert_false(schedule_make(&schedule, &times));
}

/* The user's block length is kept. An unwanted warm-up does not count as left out. */
TEST_CASE(what_the_user_chose_is_kept)
{
    struct schedule_times times = times_of(20 * MS, S, 20 * S);
    struct schedule schedule;

    times.block = times.least = 10;
    times.warms_up = false;
    assert_true(schedule_make(&schedule, &times));
    assert_int_equal(schedule.block, 10);
    assert_false(schedule_is_short(&schedule, &times));
}

TEST_CASE(time_that_blocks_do_not_change_counts)
{
    struct schedule_times times = times_of(12000, S, 5 * S);
    struct schedule schedule;

    times.round_ns = 400e6;
    assert_true(schedule_make(&schedule, &times));
    assert_true(schedule.rounds <= 9);
}

TEST_CASE(what_is_left_out_is_said)
{
    const struct schedule_times times = times_of(150 * MS, 1350 * MS, 5 * S);
    struct schedule schedule;
    char text[SCHEDULE_TEXT_SIZE];

    assert_true(schedule_make(&schedule, &times));
    assert_string_equal(schedule_describe(&schedule, &times, text),
                        "--max-time allows 10 rounds of 1 call, without a warm-up; --max-time 11s "
                        "allows all");
}

TEST_CASE(calls_take_their_time)
{
    struct schedule_times times = times_of(40 * MS, S, 20 * S);

    times.block = 5;
    times.warms_up = false;
    assert_near(schedule_of_calls_ns(&times, 100), 1.2e9 + 100 * 80e6, 1);
    times.warms_up = true;
    assert_near(schedule_of_calls_ns(&times, 100), 1.2e9 + 150 * 80e6, 1);
    assert_near(schedule_of_calls_ns(&times, 1), 1.2e9 + 51 * 80e6, 1);
}

TEST_CASE(looks_are_few_and_fixed)
{
    size_t looks = 0;

    assert_all((!schedule_is_check(8)), (schedule_is_check(20)), (schedule_is_check(30)),
               (schedule_is_check(45)), (!schedule_is_check(44)));
    for (size_t round = 1; round < 100000; round++)
        looks += schedule_is_check(round);
    assert_int_equal(looks, 22);
}
