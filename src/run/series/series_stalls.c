/* Finds stalls (engine/stalls.h) in the blocks of series. */
#include <math.h>
#include <stdlib.h>

#include "engine/stalls.h"
#include "measure/statistics/estimate.h"
#include "run/series/series.h"

struct watched {
    struct series_set *set;
    struct run_series *series;
    const struct block *block;
    const struct engine_tally *tally;
    /* start of the block by clock_raw_ns() and by the block's clock */
    uint64_t began_ns, began_ticks;
    bool is_first; /* the usual duration of the series' calls is still unknown */
};

static double ns_of(const struct watched *watched, uint64_t ticks)
{
    return (double)ticks * watched->set->clock->ns_per_tick;
}

static uint64_t raw_ns(const struct watched *watched, uint64_t ticks)
{
    return watched->began_ns + (uint64_t)ns_of(watched, ticks - watched->began_ticks);
}

/* If a wait was so long that it is a stall, note it. The wait began at BEGAN_NS, took NS, and
 * delayed CALLS calls. In the first block, the usual duration of a call is unknown, so the longest
 * wait is stored for update_usual(). */
static void check_wait(const struct watched *watched, uint64_t began_ns, double ns, uint64_t calls)
{
    struct run_series *series = watched->series;
    const struct stall wait = {began_ns, began_ns + (uint64_t)ns, calls, series->name};

    if (watched->is_first && ns > series->first_wait_ns) {
        series->first_wait = wait;
        series->first_wait_ns = ns;
    } else if (!watched->is_first && stall_is_one(ns, series->usual_ns)) {
        stalls_note(&watched->set->setup->stalls, &wait);
    }
}

static double block_median(const struct watched *watched)
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

/* LEVEL is the duration of a call in this block, ns (0: unknown). Set the usual duration of a call
 * to the least LEVEL of all blocks so far, because a stall may delay most calls of a block. After
 * the second block, check the longest wait of the first block. */
static void update_usual(const struct watched *watched, double level)
{
    struct run_series *series = watched->series;

    if (level > 0)
        series->usual_ns = watched->is_first ? level : fmin(series->usual_ns, level);
    if (watched->is_first || series->first_wait_ns == 0)
        return;
    check_wait(watched, series->first_wait.began_ns, series->first_wait_ns,
               series->first_wait.calls);
    series->first_wait_ns = 0;
}

static void check_calls(const struct watched *watched)
{
    uint64_t at = watched->began_ns;

    for (size_t i = 0; i < watched->block->recorded; i++) {
        double ns = ns_of(watched, watched->block->ticks[i]);

        check_wait(watched, at, ns, 1);
        at += (uint64_t)ns;
    }
}

/* Check the elements of GAPS that ended in this block. GAPS may contain gaps of earlier blocks. */
static void check_gaps(const struct watched *watched, const struct engine_gaps *gaps)
{
    for (size_t i = 0; i < gaps->kept; i++) {
        const struct engine_gap *gap = &gaps->longest[i];

        if (gap->ended > watched->began_ticks)
            check_wait(watched, raw_ns(watched, gap->began),
                       ns_of(watched, gap->ended - gap->began), gap->calls);
    }
}

static double in_flight(const struct series_set *set, const struct block *block)
{
    return fmin((double)load_in_flight(&set->plan->load), (double)block->count);
}

/* Check the wait from the last reply to ENDED_NS, the time when the block failed. With think times,
 * the time counts as a wait only while a call was in flight. */
static void check_end(const struct watched *watched, uint64_t ended_ns)
{
    const struct engine_detail *detail = watched->tally->detail;
    uint64_t last = watched->began_ns;

    if (watched->set->plan->load.think) {
        last = watched->tally->owed_since ? raw_ns(watched, watched->tally->owed_since) : ended_ns;
        check_wait(watched, last, (double)(ended_ns - last), 1);
        return;
    }
    for (size_t i = 0; i < watched->block->recorded; i++)
        if (!detail)
            last += (uint64_t)ns_of(watched, watched->block->ticks[i]);
        else if (raw_ns(watched, detail->done[i]) > last)
            last = raw_ns(watched, detail->done[i]);
    check_wait(watched, last, (double)(ended_ns - last), 1);
}

/* Check a block's waits: under load, the waits in its tally; without load, its latencies and,
 * because retransmitted calls leave no latency, its gaps. */
static void check_block_waits(const struct watched *watched)
{
    const struct engine_tally *tally = watched->tally;

    if (tally->detail || tally->waits.kept > 0) {
        check_gaps(watched, &tally->waits);
        return;
    }
    check_calls(watched);
    check_gaps(watched, &tally->gaps);
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
    update_usual(&watched, block_median(&watched));
    check_block_waits(&watched);
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
    int code;
    uint64_t now;
    double elapsed;

    tally->waits = (struct engine_gaps){0};
    code = engine_run(engine, call, block, tally, error);
    now = clock_raw_ns();
    elapsed = (double)(now - watched.began_ns);
    if (elapsed < STALL_LEAST_NS && set->plan->load.rate == 0) {
        update_usual(&watched, elapsed * in_flight(set, block) / (double)block->count);
        return code;
    }
    update_usual(&watched, block_median(&watched));
    check_block_waits(&watched);
    if (code)
        check_end(&watched, now);
    return code;
}
