#include "character/timing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "character/lab.h"
#include "measure/paired.h"

enum { ROUNDS_LEAST = 5 };

struct source {
    struct lab *lab;
    struct timing *timing;
    void *state;
};

/* The last part of an experiment's time is left to what follows. */
static bool enough(void *context, size_t rounds)
{
    const struct source *source = context;
    const uint64_t reserve_ns = lab_scaled(source->lab, 5, 2) * UINT64_C(1000000000);
    const uint64_t now = clock_raw_ns();

    return rounds >= ROUNDS_LEAST &&
           (now + reserve_ns > source->lab->ends_ns || now >= source->timing->ends_ns);
}

static int run_block(void *context, size_t series, struct block *block, struct error *error)
{
    const struct source *source = context;
    int code = lab_goes_on(source->lab, error);

    block->recorded = 0;
    while (block->recorded < block->count && code == 0) {
        code = source->timing->plan.call(source->lab, source->state, series,
                                         &block->ticks[block->recorded], error);
        block->recorded += code == 0;
    }
    return code;
}

static void close_rounds(void *rounds)
{
    rounds_close(rounds);
}

int timing_run(struct timing *timing, struct lab *lab, void *state, struct error *error)
{
    const struct timing_plan *plan = &timing->plan;
    const unsigned rounds = lab_scaled(lab, plan->full, plan->quick);
    const struct rounds_plan rounds_plan = {.series = plan->series,
                                            .calls = (uint64_t)rounds * plan->calls,
                                            .block = plan->calls,
                                            .seed = lab->plan->run.seed};
    struct source source = {lab, timing, state};
    const struct block_source calls = {.run = run_block, .enough = enough, .context = &source};
    int code = rounds_open(&timing->rounds, &rounds_plan, error);

    if (code == 0)
        code = lab_own(lab, &timing->rounds, close_rounds, error);
    if (code)
        return code;
    timing->seed = lab->plan->run.seed;
    timing->ends_ns = clock_raw_ns() + lab_rounds_ns(lab) / (plan->part ? plan->part : 1);
    return rounds_run(&timing->rounds, &rounds_plan, &lab->clock, &calls, error);
}

/* The median of VALUES (NULL: without memory), one of each round, each divided by UNIT. */
static struct interval estimate(struct timing *timing, const double *values, double unit)
{
    struct interval interval = {NAN, NAN, NAN};
    int code = values ? estimate_median_interval(values, timing->rounds.done, timing->seed,
                                                 &interval, &timing->error)
                      : error_set(&timing->error, ERROR_FAILED, -ENOMEM, "out of memory");

    if (code)
        timing->code = code;
    return (struct interval){interval.estimate / unit, interval.low / unit, interval.high / unit};
}

static const double *means_of(const struct timing *timing, size_t series)
{
    return timing->rounds.series[series].blocks[BLOCK_TRIMMED_MEAN];
}

struct interval timing_level(struct timing *timing, size_t series)
{
    return estimate(timing, means_of(timing, series), 1000);
}

struct interval timing_difference(struct timing *timing, size_t first, size_t second)
{
    const struct series *series = timing->rounds.series;
    double *differences = paired_differences(&series[first], &series[second], BLOCK_TRIMMED_MEAN,
                                             timing->rounds.done, &timing->error);
    const struct interval difference = estimate(timing, differences, 1000);

    free(differences);
    return difference;
}

struct interval timing_ratio(struct timing *timing, size_t first, size_t second)
{
    const double *above = means_of(timing, first), *below = means_of(timing, second);
    double *ratios = calloc(timing->rounds.done, sizeof *ratios);
    struct interval ratio;

    for (size_t i = 0; ratios && i < timing->rounds.done; i++)
        ratios[i] = above[i] / below[i];
    ratio = estimate(timing, ratios, 1);
    free(ratios);
    return ratio;
}
