#include "characterize/timing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "characterize/testbed.h"

enum { ROUNDS_LEAST = 5 };

struct source {
    struct testbed *testbed;
    void *state;
};

/* Return whether ROUNDS are enough. Before ROUNDS_LEAST they never are. After that they are if the
 * rounds' time is over, or if only the last quarter of the experiment's time is left, which is
 * reserved for later steps. */
static bool enough_rounds(void *context, size_t rounds)
{
    const struct testbed *testbed = ((const struct source *)context)->testbed;
    const uint64_t reserve_ns = testbed->time_ns / 4;
    const uint64_t now = clock_raw_ns();

    return rounds >= ROUNDS_LEAST &&
           (now + reserve_ns > testbed->ends_ns || now >= testbed->timing.ends_ns);
}

static int run_timed_block(void *context, size_t series, struct block *block, struct error *error)
{
    const struct source *source = context;
    struct testbed *testbed = source->testbed;

    block->recorded = 0;
    while (block->recorded < block->count && testbed_may_call(testbed)) {
        block->ticks[block->recorded] = testbed->timing.plan.call(testbed, source->state, series);
        block->recorded += testbed->code == 0;
    }
    if (testbed->code)
        *error = testbed->error;
    return testbed->code;
}

static void close_rounds(void *rounds)
{
    rounds_close(rounds);
}

void timing_run(struct testbed *testbed, void *state)
{
    struct timing *timing = &testbed->timing;
    const struct timing_plan *plan = &timing->plan;
    const unsigned rounds = testbed_scaled(testbed, plan->full, plan->quick);
    const struct rounds_plan rounds_plan = {.series = plan->series,
                                            .calls = (uint64_t)rounds * plan->calls,
                                            .block = plan->calls,
                                            .seed = testbed->plan->run.seed};
    struct source source = {testbed, state};
    const struct block_source calls = {
        .run = run_timed_block, .enough = enough_rounds, .context = &source};
    struct error error;

    if (testbed->code == 0)
        testbed->code = rounds_open(&timing->rounds, &rounds_plan, &testbed->error);
    if (testbed->code)
        return;
    testbed_keep_until_end(testbed, &timing->rounds, close_rounds);
    timing->ends_ns = clock_raw_ns() + testbed_rounds_ns(testbed) / (plan->part ? plan->part : 1);
    testbed->code = rounds_run(&timing->rounds, &rounds_plan, &testbed->clock, &calls, &error);
    if (testbed->code)
        testbed->error = error;
}

static const double *means_of(const struct testbed *testbed, size_t series)
{
    return testbed->timing.rounds.series[series].blocks[BLOCK_TRIMMED_MEAN];
}

struct interval timing_median(struct testbed *testbed, const double *values, size_t count)
{
    struct interval interval = {NAN, NAN, NAN};

    if (testbed->code == 0)
        testbed->code = estimate_median_interval(values, count, testbed->plan->run.seed, &interval,
                                                 &testbed->error);
    return interval;
}

/* Return the median of VALUES, one for each round, divided by UNIT. */
static struct interval median_over_rounds(struct testbed *testbed, const double *values,
                                          double unit)
{
    const struct interval interval = timing_median(testbed, values, testbed->timing.rounds.done);

    return (struct interval){interval.estimate / unit, interval.low / unit, interval.high / unit};
}

struct interval timing_level(struct testbed *testbed, size_t series)
{
    return median_over_rounds(testbed, means_of(testbed, series), 1000);
}

/* Return a median over the rounds: of SECOND / FIRST if AS_RATIO, else of SECOND - FIRST in us. */
static struct interval compare_series(struct testbed *testbed, size_t first, size_t second,
                                      bool as_ratio)
{
    const double *a = means_of(testbed, first), *b = means_of(testbed, second);
    double *both = calloc(testbed->timing.rounds.done, sizeof *both);
    struct interval interval;

    if (!both && testbed->code == 0)
        testbed->code = error_set(&testbed->error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; both && i < testbed->timing.rounds.done; i++)
        both[i] = as_ratio ? b[i] / a[i] : b[i] - a[i];
    interval = median_over_rounds(testbed, both, as_ratio ? 1 : 1000);
    free(both);
    return interval;
}

struct interval timing_difference(struct testbed *testbed, size_t first, size_t second)
{
    return compare_series(testbed, first, second, false);
}

struct interval timing_ratio(struct testbed *testbed, size_t first, size_t second)
{
    return compare_series(testbed, second, first, true);
}
