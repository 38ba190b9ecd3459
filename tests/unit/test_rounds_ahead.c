/* The measuring run of an open loop: blocks are submitted before earlier blocks are over, and
 * several rounds are prepared together. */
#include "test.h"

#include "measure/rounds.h"

static uint64_t no_time(void)
{
    return 0;
}

static const struct clock fake_clock = {
    .name = "fake", .start = no_time, .stop = no_time, .ns_per_tick = 1};

enum { SERIES = 2, BLOCK = 10, ROUNDS = 7, EVENTS = 4096 };

/* A source that logs the requests to it: p to prepare, c to clear up, s to submit a block, r to
 * take the oldest block. */
struct fake {
    size_t together;  /* number of rounds that are prepared together; 0: none is prepared */
    size_t lookahead; /* number of blocks that may be submitted ahead */
    bool is_finished; /* no blocks follow */
    bool waits;       /* run() waits for another process; LOOKAHEAD blocks are then under way */
    bool fails;       /* the second preparation of the second series fails */
    char log[EVENTS]; /* log of requests, one letter each */
    size_t events;
    size_t under_way, most_under_way;
    size_t enough; /* number of rounds after which the source has enough; 0: never */
    /* number of rounds that another process has begun; 0: there is no other process */
    size_t others;
    void (*step)(void *run);
    void *run;
    /* PREPARED, USED, CLEARED: how many calls of a series were prepared, submitted, cleared up.
     * TIMES: number of preparations of the second series, counted only if FAILS. */
    size_t prepared[SERIES], used[SERIES], cleared[SERIES], times[SERIES];
};

static void note(struct fake *fake, char event)
{
    assert_true(fake->events < EVENTS - 1);
    fake->log[fake->events++] = event;
}

static int fake_submit(void *context, size_t series, size_t count, struct error *error)
{
    struct fake *fake = context;

    note(fake, 's');
    fake->is_finished = false;
    fake->used[series] += count;
    if (fake->together)
        assert_true(fake->used[series] <= fake->prepared[series]);
    if (++fake->under_way > fake->most_under_way)
        fake->most_under_way = fake->under_way;
    return 0;
}

static bool fake_wants(void *context)
{
    const struct fake *fake = context;

    return fake->under_way < fake->lookahead;
}

static void fake_finish(void *context)
{
    ((struct fake *)context)->is_finished = true;
}

static bool fake_over(void *context)
{
    return false;
}

static size_t fake_together(void *context)
{
    return ((const struct fake *)context)->together;
}

static int fake_prepare(void *context, size_t series, size_t count, struct error *error)
{
    struct fake *fake = context;

    note(fake, 'p');
    assert_int_equal(fake->under_way, 0);
    assert_true(fake->is_finished);
    if (fake->fails && series == 1 && fake->times[series]++ > 0)
        return error_set(error, ERROR_FAILED, -ECANCELED, "full");
    fake->prepared[series] += count;
    return 0;
}

static int fake_clear(void *context, size_t series, size_t count, struct error *error)
{
    struct fake *fake = context;

    note(fake, 'c');
    assert_int_equal(fake->under_way, 0);
    fake->cleared[series] += count;
    return 0;
}

static bool fake_enough(void *context, size_t round)
{
    const struct fake *fake = context;

    return round == fake->enough;
}

/* Return the smallest value of all processes. Another process answers late, has begun more rounds,
 * and prepares fewer rounds together. */
static uint64_t fake_least(void *context, uint64_t value)
{
    const struct fake *fake = context;
    const uint64_t theirs = value > SIZE_MAX / 2 ? SIZE_MAX - fake->others : value - (value > 2);

    for (int i = 0; i < 3 && fake->step; i++)
        fake->step(fake->run);
    return theirs < value ? theirs : value;
}

static void fake_waiting(void *context, void (*step)(void *run), void *run)
{
    struct fake *fake = context;

    fake->step = step;
    fake->run = run;
}

static int fake_run(void *context, size_t series, struct block *block, struct error *error)
{
    struct fake *fake = context;

    note(fake, 'r');
    fake->under_way--;
    if (fake->waits) {
        fake->step(fake->run);
        assert_true(fake->under_way == fake->lookahead || fake->is_finished);
    }
    block->recorded = block->count;
    for (size_t i = 0; i < block->count; i++)
        block->ticks[i] = 100;
    return 0;
}

static struct rounds rounds;

FIXTURE(tear_down, rounds_close(&rounds), 0)

static int measure(struct fake *fake, bool warmup)
{
    const struct rounds_plan plan = {.series = SERIES,
                                     .calls = ROUNDS * BLOCK,
                                     .block = BLOCK,
                                     .warmup = warmup,
                                     .load = true,
                                     .open_loop = true};
    const struct block_source source = {.run = fake_run,
                                        .submit = fake_submit,
                                        .wants_block = fake_wants,
                                        .finish = fake_finish,
                                        .is_over = fake_over,
                                        .rounds_ahead = fake_together,
                                        .enough = fake->enough ? fake_enough : NULL,
                                        .least = fake->others ? fake_least : NULL,
                                        .while_waiting = fake->others ? fake_waiting : NULL,
                                        .prepare = fake_prepare,
                                        .clear = fake_clear,
                                        .context = fake};
    struct error error;

    rounds_close(&rounds);
    assert_int_equal(rounds_open(&rounds, &plan, &error), 0);
    return rounds_run(&rounds, &plan, &fake_clock, &source, &error);
}

TEST_CASE_WITH(blocks_are_submitted_ahead, NULL, tear_down)
{
    struct fake fake = {.lookahead = 5};

    assert_int_equal(measure(&fake, false), 0);
    assert_all((rounds.done, ROUNDS), (fake.most_under_way, 5), (fake.under_way, 0),
               (fake.used[0], ROUNDS * BLOCK), (fake.used[1], ROUNDS * BLOCK));
    assert_null(strpbrk(fake.log, "p"));
    assert_int_equal(strncmp(fake.log, "sssssrsrsrs", 11), 0);
    assert_true(fake.is_finished);
}

/* Rounds that are prepared together are over and cleared up before the next rounds are prepared.
 * Among rounds that are prepared together, blocks are submitted ahead. */
TEST_CASE_WITH(rounds_are_prepared_together, NULL, tear_down)
{
    struct fake fake = {.together = 3, .lookahead = 1000};

    assert_int_equal(measure(&fake, false), 0);
    assert_all((rounds.done, ROUNDS), (fake.most_under_way, 3 * SERIES),
               (fake.prepared[0], ROUNDS * BLOCK), (fake.prepared[1], ROUNDS * BLOCK),
               (fake.used[0], ROUNDS * BLOCK), (fake.cleared[0], ROUNDS * BLOCK),
               (fake.cleared[1], ROUNDS * BLOCK));
    assert_string_equal(fake.log, "ppssssssrrrrrr"
                                  "ccppssssssrrrrrr"
                                  "ccppssrrcc");
}

TEST_CASE_WITH(warmup_is_prepared_too, NULL, tear_down)
{
    struct fake fake = {.together = 100, .lookahead = 3};

    assert_int_equal(measure(&fake, true), 0);
    assert_int_equal(rounds.done, ROUNDS);
    assert_true(rounds.warmup > 0);
    assert_true(fake.used[0] >= (ROUNDS + rounds.warmup) * BLOCK);
    assert_int_equal(fake.cleared[0], fake.used[0]);
}

TEST_CASE_WITH(early_end_counts_what_was_submitted, NULL, tear_down)
{
    struct fake fake = {.lookahead = 5, .enough = 2};

    assert_int_equal(measure(&fake, false), 0);
    assert_all((rounds.done, 4), (fake.under_way, 0), (rounds.series[0].calls, fake.used[0]),
               (rounds.series[1].calls, fake.used[1]));
}

/* Several processes end with the last round that any of them has begun, and no block is left under
 * way. */
TEST_CASE_WITH(processes_end_together, NULL, tear_down)
{
    struct fake fake = {.lookahead = 3, .enough = 2, .others = 6};

    assert_int_equal(measure(&fake, false), 0);
    assert_all((rounds.done, 6), (fake.under_way, 0), (fake.used[0], 6 * BLOCK));
    assert_true(fake.is_finished);
    assert_null(fake.step);
}

TEST_CASE_WITH(processes_prepare_the_same, NULL, tear_down)
{
    struct fake fake = {.together = 3, .lookahead = 1000, .others = 1};

    assert_int_equal(measure(&fake, false), 0);
    assert_string_equal(fake.log, "ppssssrrrrccppssssrrrrccppssssrrrrccppssrrcc");
}

TEST_CASE_WITH(waiting_holds_no_block_up, NULL, tear_down)
{
    struct fake fake = {.lookahead = 4, .others = 1, .waits = true};

    assert_int_equal(measure(&fake, false), 0);
    assert_int_equal(rounds.done, ROUNDS);
}

TEST_CASE_WITH(one_is_given_up, NULL, tear_down)
{
    struct fake fake = {.together = 3, .lookahead = 1000, .fails = true};

    assert_int_equal(measure(&fake, false), 0);
    assert_all((rounds.done, ROUNDS), (rounds.series[1].kept_to, 3), (fake.used[0], ROUNDS * BLOCK),
               (fake.used[1], 3 * BLOCK));
    assert_true(rounds.series[1].given_up);
}
