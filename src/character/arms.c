#include "character/arms.h"

#include <errno.h>
#include <stdlib.h>

#include "measure/paired.h"

enum { ROUNDS_LEAST = 5 };

/* The last part of an experiment's time is left to what follows. */
static bool is_late(const struct lab *lab)
{
    return clock_raw_ns() + lab_scaled(lab, 5, 2) * UINT64_C(1000000000) > lab->ends_ns;
}

static bool enough(void *context, size_t rounds)
{
    const struct arms *arms = context;

    return rounds >= ROUNDS_LEAST && (is_late(arms->lab) || clock_raw_ns() >= arms->ends_ns);
}

static int run_block(void *context, size_t series, struct block *block, struct error *error)
{
    struct arms *arms = context;
    int code = lab_goes_on(arms->lab, error);

    block->recorded = 0;
    while (block->recorded < block->count && code == 0) {
        code = arms->call(arms->context, series, &block->ticks[block->recorded], error);
        block->recorded += code == 0;
    }
    return code;
}

int arms_run(struct arms *arms, unsigned rounds, struct error *error)
{
    const struct rounds_plan plan = {.series = arms->count,
                                     .calls = (uint64_t)rounds * arms->calls,
                                     .block = arms->calls,
                                     .seed = arms->lab->plan->run.seed};
    const struct block_source source = {.run = run_block, .enough = enough, .context = arms};

    int code = rounds_open(&arms->rounds, &plan, error);

    if (code)
        return code;
    arms->ends_ns = arms->time_ns ? clock_raw_ns() + arms->time_ns : UINT64_MAX;
    return rounds_run(&arms->rounds, &plan, &arms->lab->clock, &source, error);
}

void arms_close(struct arms *arms)
{
    rounds_close(&arms->rounds);
}

static void to_us(struct interval *interval)
{
    interval->estimate /= 1000;
    interval->low /= 1000;
    interval->high /= 1000;
}

int arms_level(const struct arms *arms, size_t arm, struct interval *us, struct error *error)
{
    int code = estimate_median_interval(arms->rounds.series[arm].blocks[BLOCK_TRIMMED_MEAN],
                                        arms->rounds.done, arms->lab->plan->run.seed, us, error);

    to_us(us);
    return code;
}

static int median_of(const struct arms *arms, double *values, struct interval *interval,
                     struct error *error)
{
    int code = estimate_median_interval(values, arms->rounds.done, arms->lab->plan->run.seed,
                                        interval, error);

    free(values);
    return code;
}

int arms_difference(const struct arms *arms, size_t first, size_t second, struct interval *us,
                    struct error *error)
{
    const struct series *series = arms->rounds.series;
    double *differences = paired_differences(&series[first], &series[second], BLOCK_TRIMMED_MEAN,
                                             arms->rounds.done, error);
    int code = differences ? median_of(arms, differences, us, error) : -ENOMEM;

    to_us(us);
    return code;
}

int arms_ratio(const struct arms *arms, size_t first, size_t second, struct interval *ratio,
               struct error *error)
{
    const struct series *series = arms->rounds.series;
    const double *above = series[first].blocks[BLOCK_TRIMMED_MEAN];
    const double *below = series[second].blocks[BLOCK_TRIMMED_MEAN];
    double *ratios = calloc(arms->rounds.done, sizeof *ratios);

    if (!ratios)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for ratios");
    for (size_t i = 0; i < arms->rounds.done; i++)
        ratios[i] = above[i] / below[i];
    return median_of(arms, ratios, ratio, error);
}
