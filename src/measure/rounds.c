#include "measure/rounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/deadline.h"
#include "measure/counters.h"
#include "measure/rounds_ahead.h"
#include "measure/statistics/estimate.h"
#include "measure/warmup.h"

#define TRIM 0.1

/* Return the mean time from one call of BLOCK to the next, ns. Without load, this is BLOCK's
 * duration ELAPSED_NS divided by the number of calls. Under load, only the steady part of BLOCK is
 * used, because the first calls of a block are sent all at once. A closed loop whose steady part
 * has less than half of the calls is treated as without load. In an open loop, the steady part is
 * the time of sending; all of BLOCK is used only if no call was sent in this time. */
static double spacing_of(const struct rounds_run *run, const struct block *block,
                         uint64_t elapsed_ns)
{
    const bool is_enough =
        run->plan->open_loop ? block->steady_calls > 0 : 2 * block->steady_calls >= block->count;

    if (!is_enough || block->steady_ticks == 0)
        return (double)elapsed_ns / (double)block->count;
    return (double)block->steady_ticks * run->clock->ns_per_tick / (double)block->steady_calls;
}

/* Make BLOCK of SERIES or, in an open loop, wait for the oldest submitted block. */
static int make_block(struct rounds_run *run, size_t series, struct block *block)
{
    const struct block_source *source = run->source;
    int code;

    do {
        code = source->submit ? rounds_ahead_submit(run) : 0;
        if (code == 0)
            code = source->run(source->context, series, block, run->error);
    } while (code == -EAGAIN);
    return code;
}

/* Return when BLOCK began, ns on CLOCK_MONOTONIC_RAW. In a closed loop, this is BEGAN, the time
 * when run() was called. In an open loop, the block has its own time of begin; if that is before
 * RUN's BEGAN_NS, the result is BEGAN_NS. */
static uint64_t began_at(const struct rounds_run *run, const struct block *block, uint64_t began)
{
    const double ns_per_tick = run->clock->ns_per_tick;
    uint64_t ago, now = clock_raw_ns();

    if (block->began_ticks == 0)
        return began;
    ago = (uint64_t)((double)(run->clock->stop() - block->began_ticks) * ns_per_tick);
    return now > run->began_ns + ago ? now - ago : run->began_ns;
}

static uint64_t elapsed_of(const struct rounds_run *run, const struct block *block, uint64_t since)
{
    if (block->began_ticks && block->steady_ticks)
        return (uint64_t)((double)block->steady_ticks * run->clock->ns_per_tick);
    return clock_raw_ns() - since;
}

static int time_block(struct rounds_run *run, size_t series, size_t count)
{
    struct block block = {.count = count, .ticks = run->ticks[series]};
    struct rounds_current *current = &run->current[series];
    uint64_t preempted = counters_own_preemptions();
    uint64_t began = clock_raw_ns();
    int code = make_block(run, series, &block);

    current->count = count;
    current->elapsed = elapsed_of(run, &block, began);
    current->recorded = block.recorded;
    current->began = began_at(run, &block, began);
    current->preempted = counters_own_preemptions() - preempted;
    current->spacing = spacing_of(run, &block, current->elapsed);
    current->trend = block.trend_ns;
    if (code == 0 && current->recorded == 0)
        return error_set(run->error, ERROR_FAILED, -ENODATA, "no call of a block succeeded");
    return code;
}

/* Take and discard a block of SERIES that was submitted before SERIES was given up. */
static int drop_block(struct rounds_run *run, size_t series, size_t count)
{
    struct block block = {.count = count, .ticks = run->ticks[series]};
    int code = make_block(run, series, &block);

    return code == -ECANCELED ? 0 : code;
}

static int run_block(struct rounds_run *run, size_t series, size_t count)
{
    const struct block_source *source = run->source;
    int code = 0;

    if (run->rounds->series[series].given_up)
        return source->submit && count > 0 ? drop_block(run, series, count) : 0;
    if (source->prepare && !source->submit)
        code = source->prepare(source->context, series, count, run->error);
    if (code == 0)
        code = time_block(run, series, count);
    if (code == 0 && source->block_done)
        source->block_done(source->context, series, count);
    if (code == 0 && source->clear && !source->submit)
        code = source->clear(source->context, series, count, run->error);
    return rounds_run_give_up(run, series, code);
}

/* Take all blocks of the round that was submitted first. */
static int take_round(struct rounds_run *run)
{
    struct rounds_submitted block = {.is_last = false};
    int code = 0;

    while (code == 0 && !block.is_last) {
        code = rounds_ahead_oldest(run, &block);
        if (code)
            return code;
        code = run_block(run, block.series, block.count);
        rounds_ahead_forget(run);
    }
    return code;
}

static int run_round(struct rounds_run *run, size_t count)
{
    int code = 0;

    if (run->source->submit)
        return take_round(run);
    rounds_run_order(run);
    for (size_t i = 0; i < run->plan->series && code == 0; i++)
        code = run_block(run, run->order[i], rounds_run_calls_in_block(run, run->order[i], count));
    return code;
}

/* Convert the ticks of SERIES in the current round to RUN's samples, ns, in the same order. Returns
 * their number. */
static size_t take_samples(struct rounds_run *run, size_t series)
{
    clock_samples_ns(run->clock, run->ticks[series], run->samples, run->current[series].recorded);
    return run->current[series].recorded;
}

/* Sort the current round's samples of SERIES, convert them to ns, and return their number. The
 * ticks are sorted in place. */
static size_t take_sorted_samples(struct rounds_run *run, size_t series)
{
    ticks_sort(run->ticks[series], run->spare, run->current[series].recorded);
    return take_samples(run, series);
}

/* Return the time above which a call is among the slowest of SERIES, ns; -1: any time. */
static double slow_from(const struct series *series)
{
    return series->slowest_count < ROUNDS_SLOWEST ? -1 : series->slowest[ROUNDS_SLOWEST - 1].ns;
}

/* Insert the call at POSITION of the current block into the slowest calls of series INDEX. */
static void keep_slow(struct rounds_run *run, size_t index, size_t position)
{
    struct series *series = &run->rounds->series[index];
    struct slow_call *slowest = series->slowest;
    double ns = run->samples[position];
    size_t at = series->slowest_count;

    if (at == ROUNDS_SLOWEST)
        at--;
    for (; at > 0 && slowest[at - 1].ns < ns; at--)
        slowest[at] = slowest[at - 1];
    slowest[at] = (struct slow_call){.ns = ns,
                                     .round = run->rounds->done,
                                     .position = position,
                                     .block_began_ns = run->current[index].began,
                                     .involuntary_switches = run->current[index].preempted};
    if (series->slowest_count < ROUNDS_SLOWEST)
        series->slowest_count++;
}

/* Add the current block of series INDEX, of COUNT calls, to the series' histogram, slowest calls
 * and sums, but not to its `blocks`. Returns the number of samples. */
static size_t keep_calls(struct rounds_run *run, size_t index, size_t count)
{
    struct series *series = &run->rounds->series[index];
    size_t n = take_samples(run, index);

    histogram_record_all(&series->histogram, run->samples, n);
    for (size_t i = 0; i < n; i++)
        if (run->samples[i] > slow_from(series))
            keep_slow(run, index, i);
    series->calls += count;
    series->elapsed_ns += run->current[index].elapsed;
    return n;
}

static void keep_block(struct rounds_run *run, size_t index, size_t count)
{
    struct series *series = &run->rounds->series[index];
    size_t round = run->rounds->done;
    size_t n = keep_calls(run, index, count);

    take_sorted_samples(run, index);
    series->blocks[BLOCK_TRIMMED_MEAN][round] = estimate_trimmed_mean(run->samples, n, TRIM);
    series->blocks[BLOCK_MEAN][round] = estimate_trimmed_mean(run->samples, n, 0);
    series->blocks[BLOCK_SPACING][round] = run->current[index].spacing;
    series->blocks[BLOCK_TREND][round] = run->current[index].trend;
    series->blocks[BLOCK_P50][round] = estimate_quantile(run->samples, n, 0.5);
    series->blocks[BLOCK_P90][round] = estimate_quantile(run->samples, n, 0.9);
    series->blocks[BLOCK_P99][round] = estimate_quantile(run->samples, n, 0.99);
}

static double block_level(struct rounds_run *run, size_t series)
{
    size_t n = take_sorted_samples(run, series);

    return estimate_trimmed_mean(run->samples, n, TRIM);
}

/* Return true if the time of the warm-up is over in any of the processes that make these rounds. */
static bool is_late(const struct rounds_run *run)
{
    const struct block_source *source = run->source;
    const uint64_t until_ns = run->plan->warmup_until_ns;
    const bool late = until_ns && deadline_now_ns() >= until_ns;

    return source->least ? source->least(source->context, !late) == 0 : late;
}

/* Run one window of warm-up rounds with blocks of COUNT calls, and set LEVELS to the level of each
 * series. If the warm-up's time runs out, the window has fewer rounds, and LEVELS is of no use. */
static int run_window(struct rounds_run *run, size_t count, struct warmup_level *levels)
{
    double *blocks = calloc(run->plan->series * WARMUP_WINDOW, sizeof *blocks);
    int code = 0;

    if (!blocks)
        return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory for the warm-up");
    for (size_t round = 0; round < WARMUP_WINDOW && code == 0 && !is_late(run); round++) {
        code = run_round(run, count);
        for (size_t i = 0; i < run->plan->series && code == 0; i++)
            if (!run->rounds->series[i].given_up)
                blocks[i * WARMUP_WINDOW + round] = block_level(run, i);
        run->rounds->warmup++;
        if (code == 0 && run->source->round_done)
            run->source->round_done(run->source->context, run->rounds->warmup);
    }
    for (size_t i = 0; i < run->plan->series && code == 0; i++)
        levels[i] = warmup_level_of(blocks + i * WARMUP_WINDOW);
    free(blocks);
    return code;
}

static bool is_warm(const struct rounds_run *run, bool steady)
{
    return run->source->warm ? run->source->warm(run->source->context, steady) : steady;
}

static int warm_up(struct rounds_run *run, size_t count)
{
    struct warmup_level *levels = calloc(2 * run->plan->series, sizeof *levels);
    struct warmup_level *before = levels, *now = levels + run->plan->series;
    struct rounds *rounds = run->rounds;
    int code = 0;

    if (!levels)
        return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory for the warm-up");
    while (rounds->warmup < warmup_limit(rounds->planned) && !rounds->steady && code == 0 &&
           !is_late(run)) {
        const size_t first = rounds->warmup;

        code = run_window(run, count, now);
        if (code == 0 && first > 0 && rounds->warmup == first + WARMUP_WINDOW)
            rounds->steady = is_warm(run, warmup_is_steady(before, now, run->plan->series));
        memcpy(before, now, run->plan->series * sizeof *now);
    }
    free(levels);
    return code;
}

/* End the warm-up. In an open loop, take and discard the rounds that have begun. */
static int end_warm_up(struct rounds_run *run)
{
    struct rounds_ahead *ahead = &run->ahead;
    int code = 0;

    if (!run->source->submit)
        return 0;
    ahead->warmup = rounds_ahead_begun(run);
    while (code == 0 && run->rounds->warmup < ahead->warmup) {
        code = take_round(run);
        run->rounds->warmup++;
    }
    return code;
}

/* Return how many measured rounds the run has if no further round begins. */
static size_t rounds_begun(struct rounds_run *run)
{
    return run->source->submit ? rounds_ahead_begun(run) - run->ahead.warmup : run->rounds->done;
}

static int measure_round(struct rounds_run *run)
{
    struct rounds *rounds = run->rounds;
    size_t count = rounds_run_calls_in_round(run, rounds->done);
    int code = rounds_run_reserve(run);

    memset(run->current, 0, rounds->series_count * sizeof *run->current);
    if (code == 0)
        code = run_round(run, count);
    for (size_t i = 0; i < rounds->series_count && code && run->plan->open_loop; i++)
        keep_calls(run, i, run->current[i].recorded);
    if (code)
        return code;
    for (size_t i = 0; i < rounds->series_count; i++)
        if (!rounds->series[i].given_up)
            keep_block(run, i, run->current[i].count);
    rounds->done++;
    if (run->source->round_done)
        run->source->round_done(run->source->context, rounds->done);
    return 0;
}

static int measure_rounds(struct rounds_run *run)
{
    struct rounds *rounds = run->rounds;
    const struct block_source *source = run->source;
    int code = 0;

    if (source->measuring_begins)
        source->measuring_begins(source->context);
    run->began_ns = clock_raw_ns();
    while (rounds->done < rounds->planned && code == 0) {
        code = measure_round(run);
        /* In an open loop, -ETIME means that the rate can't be reached: an error. */
        if (code == -ETIME && rounds->done > 0 && !run->plan->open_loop) {
            rounds->planned = rounds->done;
            return 0;
        }
        if (code == 0 && source->enough && source->enough(source->context, rounds->done))
            rounds->planned = rounds_begun(run);
    }
    return code;
}

int rounds_run(struct rounds *rounds, const struct rounds_plan *plan, const struct clock *clock,
               const struct block_source *source, struct error *error)
{
    struct rounds_run run = {
        .rounds = rounds, .plan = plan, .clock = clock, .source = source, .error = error};
    int code = rounds_run_open(&run);

    rounds_ahead_open(&run);
    if (code == 0 && plan->warmup) {
        run.ahead.warmup = SIZE_MAX;
        run.ahead.warmup_calls =
            (size_t)warmup_calls(rounds->planned, rounds_run_calls_in_round(&run, 0), plan->load);
        code = warm_up(&run, run.ahead.warmup_calls);
    }
    if (code == 0 && plan->warmup)
        code = end_warm_up(&run);
    if (code == 0)
        code = measure_rounds(&run);
    rounds_ahead_close(&run);
    if (code == 0 && source->submit)
        code = rounds_ahead_clear(&run);
    rounds_run_close(&run);
    return code;
}
