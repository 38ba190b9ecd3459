/* The watch for stalls in the blocks of series. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/stalls.h"
#include "measure/statistics/estimate.h"
#include "run/series/series.h"

/* A block that has been under way. */
struct watched {
    struct series_set *set;
    struct run_series *series;
    const struct block *block;
    const struct engine_tally *tally;
    uint64_t began_ns, began_ticks; /* clock_raw_ns(), and the block's own clock */
    bool is_first;                  /* of its series */
};

static double ns_of(const struct watched *watched, uint64_t ticks)
{
    return (double)ticks * watched->set->clock->ns_per_tick;
}

/* Ticks of the block's own clock as clock_raw_ns(). */
static uint64_t raw_ns(const struct watched *watched, uint64_t ticks)
{
    return watched->began_ns + (uint64_t)ns_of(watched, ticks - watched->began_ticks);
}

/* Until a second block shows what is usual, the longest wait of the first one is kept. */
static void look_at(const struct watched *watched, uint64_t began_ns, double ns)
{
    struct run_series *series = watched->series;

    if (watched->is_first && ns > series->first_wait_ns) {
        series->first_wait_began_ns = began_ns;
        series->first_wait_ns = ns;
    } else if (!watched->is_first && stall_is_one(ns, series->usual_ns)) {
        stalls_note(&watched->set->setup->stalls, series->name, began_ns, began_ns + (uint64_t)ns);
    }
}

/* The median of the block's calls, ns; 0: none was recorded. */
static double median_of(const struct watched *watched)
{
    const struct block *block = watched->block;
    double *ns = block->recorded ? malloc(block->recorded * sizeof *ns) : NULL, median;

    if (!ns)
        return 0;
    for (size_t i = 0; i < block->recorded; i++)
        ns[i] = ns_of(watched, block->ticks[i]);
    median = estimate_median(ns, block->recorded);
    free(ns);
    return median;
}

/* The block's calls took LEVEL: what is usual is the least of all blocks, since a stall may hold up
 * most calls of one. */
static void learn(const struct watched *watched, double level)
{
    struct run_series *series = watched->series;

    if (level > 0)
        series->usual_ns = watched->is_first ? level : fmin(series->usual_ns, level);
    if (watched->is_first || series->first_wait_ns == 0)
        return;
    look_at(watched, series->first_wait_began_ns, series->first_wait_ns);
    series->first_wait_ns = 0;
}

/* Each call has the time of its reply; an open loop's counts from when it was sent. */
static void look_at_load(const struct watched *watched, const struct engine_detail *detail)
{
    const bool open = watched->set->plan->load.rate > 0;

    for (size_t i = 0; i < watched->block->recorded; i++) {
        uint64_t ticks = open ? detail->service[i] : watched->block->ticks[i];

        look_at(watched, raw_ns(watched, detail->done[i] - ticks), ns_of(watched, ticks));
    }
}

/* One call after the other: each began when those before it were over. Calls that were in flight
 * together, and of which no more is known, ended with the block. */
static void look_at_calls(const struct watched *watched, uint64_t ended_ns)
{
    const bool together = run_plan_makes_load(watched->set->plan);
    uint64_t at = watched->began_ns;

    for (size_t i = 0; i < watched->block->recorded; i++) {
        double ns = ns_of(watched, watched->block->ticks[i]);

        look_at(watched, together ? ended_ns - (uint64_t)ns : at, ns);
        at += (uint64_t)ns;
    }
}

/* Calls that were sent again have left no ticks. */
static void look_at_resent(const struct watched *watched)
{
    const struct engine_gaps *gaps = &watched->tally->gaps;

    for (size_t i = 0; i < gaps->kept; i++)
        if (gaps->longest[i].began >= watched->began_ticks)
            look_at(watched, raw_ns(watched, gaps->longest[i].began),
                    ns_of(watched, gaps->longest[i].ended - gaps->longest[i].began));
}

static double in_flight(const struct series_set *set, const struct block *block)
{
    return fmin((double)load_in_flight(&set->plan->load), (double)block->count);
}

/* The block was given up while the server may have owed an answer. Where users think, it did only
 * if a call was in flight. */
static void look_at_end(const struct watched *watched, uint64_t ended_ns)
{
    const struct engine_detail *detail = watched->tally->detail;
    uint64_t last = watched->began_ns;

    if (watched->set->plan->load.think) {
        last = watched->tally->owed_since ? raw_ns(watched, watched->tally->owed_since) : ended_ns;
        look_at(watched, last, (double)(ended_ns - last));
        return;
    }
    for (size_t i = 0; i < watched->block->recorded; i++)
        if (!detail)
            last += (uint64_t)ns_of(watched, watched->block->ticks[i]);
        else if (raw_ns(watched, detail->done[i]) > last)
            last = raw_ns(watched, detail->done[i]);
    look_at(watched, last, (double)(ended_ns - last));
}

static void look_at_block(const struct watched *watched, uint64_t ended_ns)
{
    const struct block *block = watched->block;

    if (watched->tally->detail)
        look_at_load(watched, watched->tally->detail);
    else
        look_at_calls(watched, ended_ns);
    if (block->untimed_longest)
        look_at(watched, raw_ns(watched, block->untimed_done - block->untimed_longest),
                ns_of(watched, block->untimed_longest));
    look_at_resent(watched);
}

void series_note_block(struct series_set *set, struct run_series *series, const struct block *block,
                       const struct engine_tally *tally)
{
    const uint64_t now = clock_raw_ns(), now_ticks = set->clock->stop();
    struct watched watched = {.set = set,
                              .series = series,
                              .block = block,
                              .tally = tally,
                              .began_ticks = block->began_ticks,
                              .is_first = series->usual_ns == 0};

    watched.began_ns = now - (uint64_t)ns_of(&watched, now_ticks - block->began_ticks);
    learn(&watched, median_of(&watched));
    look_at_block(&watched, now);
}

int series_run_watched(struct series_set *set, struct run_series *series, struct engine *engine,
                       const struct engine_call *call, struct block *block,
                       struct engine_tally *tally, struct error *error)
{
    const struct watched watched = {.set = set,
                                    .series = series,
                                    .block = block,
                                    .tally = tally,
                                    .began_ns = clock_raw_ns(),
                                    .began_ticks = set->clock->start(),
                                    .is_first = series->usual_ns == 0};
    const int code = engine_run(engine, call, block, tally, error);
    const uint64_t now = clock_raw_ns();
    const double elapsed = (double)(now - watched.began_ns);

    if (elapsed < STALL_LEAST_NS && set->plan->load.rate == 0) {
        learn(&watched, elapsed * in_flight(set, block) / (double)block->count);
        return code;
    }
    learn(&watched, median_of(&watched));
    look_at_block(&watched, now);
    if (code)
        look_at_end(&watched, now);
    return code;
}
