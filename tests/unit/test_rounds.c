/* The measuring run, with blocks from a simulated source. */
#include "test.h"

#include "common/deadline.h"
#include "measure/rounds.h"
#include "measure/statistics/above_null.h"
#include "measure/time_plan.h"
#include "measure/warmup.h"

static const struct clock fake_clock = {.name = "fake", .ns_per_tick = 1};

enum { SERIES_MAXIMUM = 4, CALLS_LOGGED = 4096 };

struct fake {
    uint64_t level[SERIES_MAXIMUM]; /* ticks per call of each series */
    size_t blocks_until_failure;    /* number of blocks after which the source fails; 0: never */
    /* number of rounds after which the source has enough; 0: never */
    size_t enough_after;
    /* number of the warm-up's windows in which another process is not steady yet */
    size_t cold_windows;
    uint64_t slow_call; /* number of the call that takes 1000 times as long; 0: none */
    size_t decay;       /* number of blocks over which calls become faster; 0: none */
    /* Number of series whose level changes with each window of the warm-up; 0: none. The
     * level of series N is the same in windows N and N + 1, but in no other windows. */
    size_t restless;
    size_t given_up_at; /* number of the block in which the source gives up its series; 0: none */
    size_t unprepared;  /* number of the block that can't be prepared; 0: none */
    size_t kept;        /* number of calls that a block had made when it failed */
    size_t blocks, begun_at_block, begins, rounds_done;
    uint64_t calls;
    uint8_t log[CALLS_LOGGED]; /* series of each block */
};

static int fake_run(void *context, size_t series, struct block *block, struct error *error)
{
    struct fake *fake = context;
    uint64_t extra = 0;

    if (fake->blocks < CALLS_LOGGED)
        fake->log[fake->blocks] = (uint8_t)series;
    fake->blocks++;
    if (fake->blocks_until_failure && fake->blocks > fake->blocks_until_failure) {
        block->recorded = fake->kept;
        memset(block->ticks, 0, fake->kept * sizeof block->ticks[0]);
        return error_set(error, ERROR_UNREACHABLE, -ECONNRESET, "gone");
    }
    if (fake->given_up_at == fake->blocks)
        return error_set(error, ERROR_FAILED, -ECANCELED, "given up");
    if (fake->blocks <= fake->decay)
        extra = 1000 * (fake->decay - fake->blocks);
    if (fake->restless && fake->begins == 0) {
        const size_t window = (fake->blocks - 1) / fake->restless / WARMUP_WINDOW;

        extra = 1000 * (window == series + 1 ? series : window);
    }
    fake->calls += block->count;
    block->recorded = block->count;
    block->trend_ns = 3;
    for (size_t i = 0; i < block->count; i++) {
        block->ticks[i] = fake->level[series] + extra + (i * 7 + fake->blocks) % 11;
        if (fake->slow_call && fake->calls - block->count + i == fake->slow_call)
            block->ticks[i] *= 1000;
    }
    return 0;
}

static int fake_prepare(void *context, size_t series, size_t count, struct error *error)
{
    const struct fake *fake = context;

    return fake->unprepared && fake->blocks + 1 == fake->unprepared
               ? error_set(error, ERROR_FAILED, -ENOSPC, "full")
               : 0;
}

static int empty_run(void *context, size_t series, struct block *block, struct error *error)
{
    block->recorded = 0;
    return 0;
}

static void fake_begins(void *context)
{
    struct fake *fake = context;

    fake->begins++;
    fake->begun_at_block = fake->blocks;
}

static void fake_round_done(void *context, size_t round)
{
    struct fake *fake = context;

    fake->rounds_done = round;
}

static bool fake_enough(void *context, size_t round)
{
    const struct fake *fake = context;

    return fake->enough_after && round >= fake->enough_after;
}

static bool fake_warm(void *context, bool steady)
{
    struct fake *fake = context;

    if (fake->cold_windows == 0)
        return steady;
    fake->cold_windows--;
    return false;
}

static struct rounds rounds;

FIXTURE(tear_down, rounds_close(&rounds), 0)

static int measure(struct fake *fake, const struct rounds_plan *plan)
{
    struct block_source source = {.run = fake_run,
                                  .prepare = fake_prepare,
                                  .warm = fake_warm,
                                  .measuring_begins = fake_begins,
                                  .round_done = fake_round_done,
                                  .enough = fake_enough,
                                  .context = fake};
    struct error error;

    rounds_close(&rounds);
    assert_int_equal(rounds_open(&rounds, plan, &error), 0);
    return rounds_run(&rounds, plan, &fake_clock, &source, &error);
}

TEST_CASE_WITH(calls_add_up, NULL, tear_down)
{
    static const uint64_t calls[] = {1, 2, 99, 100, 101, 250, 1000, 12345};
    static const uint32_t blocks[] = {1, 7, 100};

    for (size_t i = 0; i < COUNT_OF(calls); i++)
        for (size_t j = 0; j < COUNT_OF(blocks); j++) {
            struct rounds_plan plan = {.series = 2, .calls = calls[i], .block = blocks[j]};
            struct fake fake = {.level = {100, 200}};

            assert_all((measure(&fake, &plan), 0), (rounds.done, rounds.planned),
                       (rounds.done, (calls[i] + blocks[j] - 1) / blocks[j]),
                       (fake.rounds_done, rounds.done), (fake.calls, 2 * calls[i]));
            for (size_t s = 0; s < 2; s++)
                assert_all((rounds.series[s].calls, calls[i]),
                           (rounds.series[s].histogram.count, calls[i]));
        }
}

TEST_CASE_WITH(each_round_has_each_series_once, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 4, .calls = 5000, .block = 10, .seed = 3};
    struct fake fake = {0};
    unsigned first[SERIES_MAXIMUM] = {0};

    measure(&fake, &plan);
    assert_int_equal(fake.blocks, 4 * rounds.done);
    for (size_t round = 0; round < rounds.done; round++) {
        unsigned seen = 0;

        for (size_t i = 0; i < 4; i++)
            seen |= 1u << fake.log[4 * round + i];
        assert_int_equal(seen, 15);
        first[fake.log[4 * round]]++;
    }
    for (size_t i = 0; i < 4; i++)
        assert_in_range(first[i], 80, 170); /* each is first in about 125 rounds */
}

TEST_CASE_WITH(order_follows_the_seed, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 3, .calls = 300, .block = 10, .seed = 3};
    struct fake a = {0}, b = {0}, c = {0};

    measure(&a, &plan);
    measure(&b, &plan);
    plan.seed = 4;
    measure(&c, &plan);
    assert_memory_equal(a.log, b.log, sizeof a.log);
    assert_memory_not_equal(a.log, c.log, sizeof a.log);
}

TEST_CASE_WITH(a_difference_comes_back, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 3, .calls = 10000, .block = 100, .seed = 1};
    struct fake fake = {.level = {10000, 10000, 12345}};
    struct resampling resampling = {.n = 100, .block = 1, .seed = 1};
    static struct above_null control, above;
    struct error error;

    measure(&fake, &plan);
    above_null_estimate(&control, &rounds.series[1], &rounds.series[0], &resampling, 0, &error);
    above_null_estimate(&above, &rounds.series[2], &rounds.series[0], &resampling,
                        fmax(fabs(control.cost.low), fabs(control.cost.high)), &error);
    assert_all((above.cost.estimate, 2345, 1), (above.p50.estimate, 2345, 1),
               (above.p99.estimate, 2345, 1), (above.mean_difference, 2345, 1),
               (above.share, 2345 / 12350.0, 0.001), (above.distinguishable),
               (control.cost.estimate, 0, 1), (!control.distinguishable));
}

TEST_CASE_WITH(early_end_keeps_whole_rounds, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 3, .calls = 1000, .block = 10};
    struct fake fake = {.level = {5, 6, 7}, .blocks_until_failure = 3 * 42 + 2};

    assert_all((measure(&fake, &plan), -ECONNRESET), (rounds.done, 42), (rounds.planned, 100));
    for (size_t i = 0; i < 3; i++)
        assert_all((rounds.series[i].calls, 420), (rounds.series[i].histogram.count, 420));
    fake = (struct fake){.unprepared = 3 * 42 + 2};
    assert_all((measure(&fake, &plan), -ENOSPC), (rounds.done, 42), (fake.blocks, 3 * 42 + 1));
}

/* In an open loop, the calls that a block made before it failed are counted. */
TEST_CASE_WITH(open_loop_keeps_calls, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 1, .calls = 1000, .block = 10, .open_loop = true};
    struct fake fake = {.level = {5}, .blocks_until_failure = 42, .kept = 7};

    assert_all((measure(&fake, &plan), -ECONNRESET), (rounds.done, 42),
               (rounds.series[0].calls, 427), (rounds.series[0].blocks[BLOCK_TREND][41], 3, 0));
}

TEST_CASE_WITH(others_go_on_without_one, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 3, .calls = 1000, .block = 10};
    struct fake fake = {.level = {5, 6, 7}, .given_up_at = 3 * 42 + 2};
    size_t lost = 0;

    assert_all((measure(&fake, &plan), 0), (rounds.done, 100), (fake.blocks, 43 * 3 + 57 * 2));
    while (!rounds.series[lost].given_up)
        lost++;
    assert_all((rounds.series[lost].kept_to, 42), (rounds.series[lost].histogram.count, 420));
    rounds_remove(&rounds, lost);
    assert_int_equal(rounds.series_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_all((!rounds.series[i].given_up), (rounds.series[i].histogram.count, 1000));
}

TEST_CASE_WITH(a_block_without_samples_ends_the_run, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 1, .calls = 1000, .block = 10};
    struct block_source source = {.run = empty_run};
    struct error error;

    assert_all((rounds_open(&rounds, &plan, &error), 0),
               (rounds_run(&rounds, &plan, &fake_clock, &source, &error), -ENODATA),
               (error.kind, ERROR_FAILED), (rounds.done, 0));
}

/* The length of the warm-up. Case 1: calls become faster over 60 blocks, which are 30 rounds of two
 * series. Case 2: a short run has too few rounds. Case 3: another process is not steady for four
 * windows, and the first window never counts as steady, because it is compared with none. Case 4:
 * another process is never steady, so a limit ends the warm-up. */
TEST_CASE_WITH(warmup, NULL, tear_down)
{
    static const struct {
        size_t series, calls, decay, cold_windows;
        size_t least, most; /* rounds of the warm-up */
        bool steady;
    } cases[] = {{2, 1000, 60, 0, 30, 45, true},
                 {2, 100, 60, 0, 20, 20, false},
                 {2, 1000, 0, 4, 6 * WARMUP_WINDOW, 6 * WARMUP_WINDOW, true},
                 {1, 1000, 0, 1000, WARMUP_MAXIMUM, WARMUP_MAXIMUM, false}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct rounds_plan plan = {
            .series = cases[i].series, .calls = cases[i].calls, .block = 10, .warmup = true};
        struct fake fake = {.level = {10000, 10000},
                            .decay = cases[i].decay,
                            .cold_windows = cases[i].cold_windows};

        print_message("case %zu\n", i);
        assert_all((measure(&fake, &plan), 0), (fake.begins, 1),
                   (fake.begun_at_block, plan.series * rounds.warmup));
        assert_in_range(rounds.warmup, cases[i].least, cases[i].most);
        assert_all((rounds.steady, cases[i].steady), (rounds.done, plan.calls / 10),
                   (rounds.series[0].calls, plan.calls));
        if (rounds.steady) /* no slow call of the warm-up is in the result */
            assert_true(rounds.series[0].histogram.maximum < 10012);
    }
}

/* Each series is steady in a different window. The warm-up ends although all series are never
 * steady at the same time. */
TEST_CASE_WITH(warmup_of_each, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 4, .calls = 1000, .block = 10, .warmup = true};
    struct fake fake = {.level = {1000, 1000, 1000, 1000}, .restless = 4};

    assert_all((measure(&fake, &plan), 0), (rounds.steady), (rounds.warmup, 5 * WARMUP_WINDOW));
    plan.warmup_until_ns = 1; /* a deadline that has passed */
    fake = (struct fake){.level = {1000, 1000, 1000, 1000}, .restless = 4};
    assert_all((measure(&fake, &plan), 0), (!rounds.steady), (rounds.warmup < 5 * WARMUP_WINDOW));
}

/* Rounds end within a round's time of their deadline. The clock advances with the calls. */

static struct {
    uint64_t now_ns, call_ns;
    struct deadline rounds;
} timed;

static uint64_t timed_clock(void)
{
    return timed.now_ns;
}

static int timed_run(void *context, size_t series, struct block *block, struct error *error)
{
    timed.now_ns += timed.call_ns * block->count;
    block->recorded = block->count;
    for (size_t i = 0; i < block->count; i++)
        block->ticks[i] = timed.call_ns;
    return 0;
}

static bool timed_enough(void *context, size_t round)
{
    return deadline_is_over(&timed.rounds);
}

static int measure_as_planned(const struct time_plan *plan)
{
    const struct block_source source = {.run = timed_run, .enough = timed_enough};
    struct rounds_plan rounds_plan = {.series = 2, .block = plan->block, .warmup = true};
    const double half_ns = plan->round_ns / 2;
    struct error error;

    rounds_plan.warmup_until_ns = timed.now_ns + (uint64_t)(plan->warmup_ns - half_ns);
    timed.rounds.at_ns = timed.now_ns + (uint64_t)(plan->share_ns - half_ns);
    rounds_close(&rounds);
    assert_int_equal(rounds_open(&rounds, &rounds_plan, &error), 0);
    return rounds_run(&rounds, &rounds_plan, &fake_clock, &source, &error);
}

TEST_CASE_WITH(rounds_end_with_their_time, NULL, tear_down)
{
    static const double round_trips[] = {10e3, 700e3, 1e6, 20e6, 40e6, 150e6};
    uint64_t (*const real_clock)(void) = deadline_clock;

    deadline_clock = timed_clock;
    for (size_t i = 0; i < COUNT_OF(round_trips); i++) {
        const struct time_needs needs = {.left_ns = 5e9,
                                         .ops_ns = 2 * round_trips[i],
                                         .block = 100,
                                         .block_least = 1,
                                         .launches = 1,
                                         .parts = 1,
                                         .warms_up = true};
        const struct time_plan plan = time_plan_make(&needs);
        uint64_t took;

        timed.now_ns = 1000000;
        timed.call_ns = (uint64_t)round_trips[i];
        assert_int_equal(measure_as_planned(&plan), 0);
        took = timed.now_ns - 1000000;
        assert_true(rounds.done >= TIME_PLAN_ROUNDS_LEAST);
        /* Two windows suffice for a steady level, even if the time ends in the second. */
        assert_int_equal(rounds.steady, rounds.warmup >= 2 * WARMUP_WINDOW);
        assert_true((double)took <= needs.left_ns + plan.round_ns / 2);
        assert_true((double)took >= needs.left_ns - plan.round_ns);
    }
    deadline_clock = real_clock;
}

TEST_CASE(too_many_rounds)
{
    struct rounds_plan plan = {.series = 1, .calls = UINT64_MAX, .block = 1};
    struct error error;

    assert_all((rounds_open(&rounds, &plan, &error), -EINVAL), (error.kind, ERROR_USAGE));
    assert_non_null(strstr(error.text, "lower COUNT to "));
}

TEST_CASE_WITH(smaller_blocks, NULL, tear_down)
{
    static const uint32_t blocks[] = {100, 25, 1};
    struct rounds_plan plan = {.series = 3, .calls = 1000, .block = 100, .blocks = blocks};
    struct fake fake = {.level = {10, 20, 30}};

    assert_all((measure(&fake, &plan), 0), (rounds.done, 10), (rounds.series[0].calls, 1000),
               (rounds.series[1].calls, 250), (rounds.series[2].calls, 10),
               (rounds.series[2].histogram.count, 10));
}

/* Without a number of calls, the run continues until the source has enough, even beyond the first
 * allocation. */
TEST_CASE_WITH(open_end, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 2, .block = 5};
    struct fake fake = {.level = {10, 20}, .enough_after = 3000};

    assert_all((measure(&fake, &plan), 0), (rounds.done, 3000), (rounds.planned, 3000),
               (rounds.series[1].calls, 15000));
    for (size_t i = 0; i < rounds.done; i++)
        assert_true(rounds.series[1].blocks[BLOCK_P50][i] >= 20);
}

TEST_CASE_WITH(slowest_are_kept, NULL, tear_down)
{
    struct rounds_plan plan = {.series = 1, .calls = 1000, .block = 100};
    struct fake fake = {.level = {10}, .slow_call = 742};
    const struct slow_call *slowest;

    assert_int_equal(measure(&fake, &plan), 0);
    slowest = rounds.series[0].slowest;
    assert_all((rounds.series[0].slowest_count, ROUNDS_SLOWEST), (slowest[0].ns >= 10000),
               (slowest[0].round, 7), (slowest[0].position, 42));
    for (size_t i = 1; i < ROUNDS_SLOWEST; i++)
        assert_true(slowest[i].ns <= slowest[i - 1].ns && slowest[i].ns >= 20);
    assert_near(rounds.series[0].histogram.maximum, slowest[0].ns, 0);
}
