#include "characterize/timing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "characterize/lab.h"

enum { ROUNDS_LEAST = 5 };

struct source {
    struct lab *lab;
    void *state;
};

/* Return true after enough rounds. The last quarter of the experiment's time is reserved for later
 * steps. */
static bool enough_rounds(void *context, size_t rounds)
{
    const struct lab *lab = ((const struct source *)context)->lab;
    const uint64_t reserve_ns = lab->time_ns / 4;
    const uint64_t now = clock_raw_ns();

    return rounds >= ROUNDS_LEAST &&
           (now + reserve_ns > lab->ends_ns || now >= lab->timing.ends_ns);
}

static int run_timed_block(void *context, size_t series, struct block *block, struct error *error)
{
    const struct source *source = context;
    struct lab *lab = source->lab;

    block->recorded = 0;
    while (block->recorded < block->count && lab_goes_on(lab)) {
        block->ticks[block->recorded] = lab->timing.plan.call(lab, source->state, series);
        block->recorded += lab->code == 0;
    }
    if (lab->code)
        *error = lab->error;
    return lab->code;
}

static void close_rounds(void *rounds)
{
    rounds_close(rounds);
}

void timing_run(struct lab *lab, void *state)
{
    struct timing *timing = &lab->timing;
    const struct timing_plan *plan = &timing->plan;
    const unsigned rounds = lab_scaled(lab, plan->full, plan->quick);
    const struct rounds_plan rounds_plan = {.series = plan->series,
                                            .calls = (uint64_t)rounds * plan->calls,
                                            .block = plan->calls,
                                            .seed = lab->plan->run.seed};
    struct source source = {lab, state};
    const struct block_source calls = {
        .run = run_timed_block, .enough = enough_rounds, .context = &source};
    struct error error;

    if (lab->code == 0)
        lab->code = rounds_open(&timing->rounds, &rounds_plan, &lab->error);
    if (lab->code)
        return;
    lab_own(lab, &timing->rounds, close_rounds);
    timing->ends_ns = clock_raw_ns() + lab_rounds_ns(lab) / (plan->part ? plan->part : 1);
    lab->code = rounds_run(&timing->rounds, &rounds_plan, &lab->clock, &calls, &error);
    if (lab->code)
        lab->error = error;
}

static const double *means_of(const struct lab *lab, size_t series)
{
    return lab->timing.rounds.series[series].blocks[BLOCK_TRIMMED_MEAN];
}

struct interval timing_median(struct lab *lab, const double *values, size_t count)
{
    struct interval interval = {NAN, NAN, NAN};

    if (lab->code == 0)
        lab->code =
            estimate_median_interval(values, count, lab->plan->run.seed, &interval, &lab->error);
    return interval;
}

/* Return the median of VALUES over the rounds, divided by UNIT. */
static struct interval median_over_rounds(struct lab *lab, const double *values, double unit)
{
    const struct interval interval = timing_median(lab, values, lab->timing.rounds.done);

    return (struct interval){interval.estimate / unit, interval.low / unit, interval.high / unit};
}

struct interval timing_level(struct lab *lab, size_t series)
{
    return median_over_rounds(lab, means_of(lab, series), 1000);
}

/* Return the median over the rounds of the difference SECOND - FIRST, us, or of the ratio SECOND /
 * FIRST. */
static struct interval compare_series(struct lab *lab, size_t first, size_t second, bool as_ratio)
{
    const double *a = means_of(lab, first), *b = means_of(lab, second);
    double *both = calloc(lab->timing.rounds.done, sizeof *both);
    struct interval interval;

    if (!both && lab->code == 0)
        lab->code = error_set(&lab->error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; both && i < lab->timing.rounds.done; i++)
        both[i] = as_ratio ? b[i] / a[i] : b[i] - a[i];
    interval = median_over_rounds(lab, both, as_ratio ? 1 : 1000);
    free(both);
    return interval;
}

struct interval timing_difference(struct lab *lab, size_t first, size_t second)
{
    return compare_series(lab, first, second, false);
}

struct interval timing_ratio(struct lab *lab, size_t first, size_t second)
{
    return compare_series(lab, second, first, true);
}
