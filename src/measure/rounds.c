#include "measure/rounds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/counted.h"
#include "common/deadline.h"
#include "common/random.h"
#include "measure/counters.h"
#include "measure/estimate.h"
#include "measure/warmup.h"

#define TRIM 0.1

enum {
    FIRST_CAPACITY = 1024, /* rounds, if their number is not given */
};

/* The block of a series in the current round. */
struct current {
    size_t recorded;         /* samples */
    uint64_t began, elapsed; /* CLOCK_MONOTONIC_RAW; ns */
    uint64_t preempted;      /* involuntary switches */
    double spacing, trend;   /* ns */
};

/* A block of an open loop that was submitted and not returned yet. */
struct submitted {
    size_t series, count;
    bool is_last; /* of its round */
};

/* The blocks of an open loop, which are submitted before those ahead of them are over. */
struct ahead {
    struct submitted *blocks; /* a ring */
    size_t capacity, first, count;
    size_t round;    /* being submitted, from 0; the warm-up's and the run's are counted together */
    size_t next;     /* place in ORDER of the next block to submit; 0: the round has not begun */
    size_t in_round; /* calls in a block of that round */
    size_t prepared; /* rounds before this number are prepared, if they need to be */
    size_t *calls;   /* of each series that were submitted since it was prepared */
    size_t warmup;   /* rounds from this number on are measured; SIZE_MAX: not known yet */
    size_t warmup_calls;
    bool ended;
};

/* The state of a run, beside its results. */
struct run {
    struct rounds *rounds;
    const struct rounds_plan *plan;
    const struct clock *clock;
    const struct block_source *source;
    struct error *error;
    struct random random;
    size_t *order;           /* of the series in the current round */
    uint64_t **ticks;        /* of each series: the current round's samples */
    uint64_t *room;          /* for them */
    struct current *current; /* of each series */
    double *samples;         /* one block's, in ns */
    struct ahead ahead;
    uint64_t began_ns; /* CLOCK_MONOTONIC_RAW; when the measured rounds began */
    uint64_t *spare;   /* room to sort a block */
};

/* Memory */

/* Fault in the pages of MEMORY before the run needs them. */
static void touch(void *memory, size_t size)
{
    memset(memory, 0, size);
    __asm__ volatile(""
                     :
                     : "r"(memory)
                     : "memory"); /* keeps the compiler from removing the memset() */
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (memory)
        touch(memory, count * size);
    return memory;
}

/* Grow the memory to CAPACITY rounds. */
static int reserve(struct rounds *rounds, size_t capacity)
{
    for (size_t i = 0; i < rounds->series_count; i++)
        for (size_t s = 0; s < BLOCK_STATISTICS; s++) {
            double **blocks = &rounds->series[i].blocks[s];
            double *larger = realloc(*blocks, capacity * sizeof **blocks);

            if (!larger)
                return -ENOMEM;
            *blocks = larger;
            touch(larger + rounds->capacity, (capacity - rounds->capacity) * sizeof *larger);
        }
    rounds->capacity = capacity;
    return 0;
}

/* How many rounds fit into half of the machine's memory. The kernel would overcommit more, and
 * later kill a process for lack of memory. */
static uint64_t rounds_most(size_t series)
{
    double round = (double)(series * BLOCK_STATISTICS * sizeof(double));
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    return (uint64_t)fmin(memory / 2 / round, UINT32_MAX);
}

int rounds_open(struct rounds *rounds, const struct rounds_plan *plan, struct error *error)
{
    uint64_t planned = plan->calls ? (plan->calls - 1) / plan->block + 1 : UINT32_MAX;
    uint64_t capacity = plan->calls ? planned : FIRST_CAPACITY, most = rounds_most(plan->series);

    memset(rounds, 0, sizeof *rounds);
    if (capacity > most)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%llu rounds of %s do not fit into memory; COUNT may be %llu at "
                         "most, or more with a larger --block",
                         (unsigned long long)planned, counted(plan->block, "call").text,
                         (unsigned long long)most * plan->block);
    rounds->planned = (size_t)planned;
    rounds->series_count = plan->series;
    rounds->series = allocate(plan->series, sizeof *rounds->series);
    if (!rounds->series || reserve(rounds, (size_t)capacity) != 0) {
        rounds_close(rounds);
        return error_set(error, ERROR_FAILED, -ENOMEM,
                         "out of memory for %llu rounds; use a smaller COUNT or a larger --block",
                         (unsigned long long)capacity);
    }
    return 0;
}

static void free_blocks(struct series *series)
{
    for (size_t s = 0; s < BLOCK_STATISTICS; s++)
        free(series->blocks[s]);
}

void rounds_remove(struct rounds *rounds, size_t index)
{
    struct series *removed = &rounds->series[index];

    free_blocks(removed);
    rounds->series_count--;
    memmove(removed, removed + 1, (rounds->series_count - index) * sizeof *removed);
}

void rounds_close(struct rounds *rounds)
{
    for (size_t i = 0; rounds->series && i < rounds->series_count; i++)
        free_blocks(&rounds->series[i]);
    free(rounds->series);
    memset(rounds, 0, sizeof *rounds);
}

static void run_close(struct run *run)
{
    free(run->order);
    free(run->ticks);
    free(run->room);
    free(run->current);
    free(run->samples);
    free(run->spare);
    free(run->ahead.blocks);
    free(run->ahead.calls);
}

/* The number of calls in a block of SERIES; COUNT unless the plan has another. */
static size_t calls_in_block(const struct run *run, size_t series, size_t count)
{
    const struct rounds_plan *plan = run->plan;
    size_t calls = plan->blocks ? count * plan->blocks[series] / plan->block : count;

    return calls ? calls : 1;
}

static int run_open(struct run *run)
{
    size_t series = run->plan->series, block = run->plan->block, calls = 0;

    for (size_t i = 0; i < series; i++)
        calls += calls_in_block(run, i, block);
    run->order = allocate(series, sizeof *run->order);
    run->ticks = allocate(series, sizeof *run->ticks);
    run->room = allocate(calls, sizeof *run->room);
    run->current = allocate(series, sizeof *run->current);
    run->ahead.calls = allocate(series, sizeof *run->ahead.calls);
    run->samples = allocate(block, sizeof *run->samples);
    run->spare = allocate(block, sizeof *run->spare);
    if (!run->order || !run->ticks || !run->room || !run->current || !run->ahead.calls ||
        !run->samples || !run->spare)
        return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory for a round");
    for (size_t i = series; i-- > 0;) {
        run->order[i] = i;
        calls -= calls_in_block(run, i, block);
        run->ticks[i] = run->room + calls;
    }
    random_seed(&run->random, run->plan->seed);
    return 0;
}

/* Rounds */

/* Under load in the steady part, as the calls that fill the connections come at once; unless that
 * has so few of the calls that it says little. In an open loop from when its calls were sent. */
static double spacing_of(const struct run *run, const struct block *block, uint64_t elapsed_ns)
{
    const bool is_enough =
        run->plan->open_loop ? block->steady_calls > 0 : 2 * block->steady_calls >= block->count;

    if (!is_enough || block->steady_ticks == 0)
        return (double)elapsed_ns / (double)block->count;
    return (double)block->steady_ticks * run->clock->ns_per_tick / (double)block->steady_calls;
}

/* Random order, followed by the series that the plan puts last. */
static void order_series(struct run *run)
{
    const bool *follows = run->plan->follows;
    size_t leading = 0, n = run->plan->series;

    for (size_t i = 0; i < n; i++)
        if (!follows || !follows[i])
            run->order[leading++] = i;
    random_shuffle(&run->random, run->order, leading);
    for (size_t i = 0; i < n && follows; i++)
        if (follows[i])
            run->order[leading++] = i;
}

/* Calls in a block of round ROUND: they add up to the plan's number and differ by at most one. */
static size_t calls_in_round(const struct run *run, size_t round)
{
    uint64_t planned = run->rounds->planned;

    if (run->plan->calls == 0)
        return run->plan->block;
    return (size_t)(run->plan->calls / planned + (round < run->plan->calls % planned));
}

/* Blocks of an open loop */

static int no_memory(const struct run *run)
{
    return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory for a round");
}

/* Append a block of SERIES to those that were submitted. */
static int remember(struct run *run, struct submitted block)
{
    struct ahead *ahead = &run->ahead;

    if (ahead->count == ahead->capacity) {
        const size_t capacity = ahead->capacity ? 2 * ahead->capacity : 64;
        struct submitted *blocks = calloc(capacity, sizeof *blocks);

        if (!blocks)
            return no_memory(run);
        for (size_t i = 0; i < ahead->count; i++)
            blocks[i] = ahead->blocks[(ahead->first + i) % ahead->capacity];
        free(ahead->blocks);
        ahead->blocks = blocks;
        ahead->capacity = capacity;
        ahead->first = 0;
    }
    ahead->blocks[(ahead->first + ahead->count++) % ahead->capacity] = block;
    return 0;
}

/* How many rounds may still be submitted, at most. */
static size_t rounds_left(const struct run *run)
{
    const struct ahead *ahead = &run->ahead;

    if (ahead->ended || (ahead->round > 0 && run->source->is_over(run->source->context)))
        return 0;
    if (ahead->round < ahead->warmup)
        return warmup_limit(run->rounds->planned) + run->rounds->planned - run->rounds->warmup;
    return run->rounds->planned - (ahead->round - ahead->warmup);
}

/* CODE came of a step of series INDEX. Returns 0 if the others go on. */
static int give_up(struct run *run, size_t index, int code)
{
    struct series *measured = &run->rounds->series[index];

    if (code != -ECANCELED)
        return code;
    measured->given_up = true;
    measured->kept_to = run->rounds->done;
    return 0;
}

/* Clear up after the rounds that were prepared together. */
static int clear_rounds(struct run *run)
{
    const struct block_source *source = run->source;
    size_t *calls = run->ahead.calls;
    int code = 0;

    for (size_t i = 0; i < run->plan->series && code == 0; i++) {
        if (calls[i] > 0 && source->clear && !run->rounds->series[i].given_up)
            code = give_up(run, i, source->clear(source->context, i, calls[i], run->error));
        calls[i] = 0;
    }
    return code;
}

/* Prepare the next COUNT rounds. */
static int prepare_rounds(struct run *run, size_t count)
{
    const struct block_source *source = run->source;
    int code = clear_rounds(run);

    for (size_t i = 0; i < run->plan->series && code == 0; i++) {
        const size_t calls = count * calls_in_block(run, i, run->plan->block);

        if (!run->rounds->series[i].given_up)
            code = give_up(run, i, source->prepare(source->context, i, calls, run->error));
    }
    run->ahead.prepared = run->ahead.round + count;
    return code;
}

/* Begin the next round to be submitted. -EAGAIN: no more follow, or those before it must be over
 * because it needs preparation. */
static int begin_ahead(struct run *run)
{
    const struct block_source *source = run->source;
    struct ahead *ahead = &run->ahead;
    const size_t left = rounds_left(run);
    const size_t together = source->rounds_ahead ? source->rounds_ahead(source->context) : 0;
    const bool unprepared = together > 0 && ahead->round >= ahead->prepared;
    int code = 0;

    ahead->ended |= left == 0;
    if (left == 0 || unprepared)
        source->finish(source->context);
    if (left == 0 || (unprepared && ahead->count > 0))
        return -EAGAIN;
    if (unprepared)
        code = prepare_rounds(run, together < left ? together : left);
    order_series(run);
    ahead->in_round = ahead->round >= ahead->warmup
                          ? calls_in_round(run, ahead->round - ahead->warmup)
                          : ahead->warmup_calls;
    return code;
}

/* Submit the next block; none of a series that was given up. */
static int submit_one(struct run *run)
{
    struct ahead *ahead = &run->ahead;
    const size_t series = run->order[ahead->next++];
    const bool is_last = ahead->next == run->plan->series;
    const size_t count =
        run->rounds->series[series].given_up ? 0 : calls_in_block(run, series, ahead->in_round);
    int code = remember(run, (struct submitted){series, count, is_last});

    if (code == 0 && count > 0)
        code = run->source->submit(run->source->context, series, count, run->error);
    ahead->calls[series] += count;
    if (is_last) {
        ahead->next = 0;
        ahead->round++;
    }
    return code;
}

/* Submit blocks as long as the source wants some, and at least one if none is under way. */
static int submit_ahead(struct run *run)
{
    const struct block_source *source = run->source;
    struct ahead *ahead = &run->ahead;
    int code = 0;

    while (code == 0 && (ahead->count == 0 || source->wants_block(source->context))) {
        if (ahead->next == 0)
            code = begin_ahead(run);
        if (code == 0)
            code = submit_one(run);
    }
    return code == -EAGAIN ? 0 : code;
}

/* Have SOURCE make a block of SERIES; of an open loop, take the one that was submitted. */
static int make_block(struct run *run, size_t series, struct block *block)
{
    const struct block_source *source = run->source;
    int code;

    do {
        code = source->submit ? submit_ahead(run) : 0;
        if (code == 0)
            code = source->run(source->context, series, block, run->error);
    } while (code == -EAGAIN);
    return code;
}

/* When BLOCK began, which has just been made in a time that began at BEGAN; CLOCK_MONOTONIC_RAW. */
static uint64_t began_at(const struct run *run, const struct block *block, uint64_t began)
{
    const double ns_per_tick = run->clock->ns_per_tick;
    uint64_t ago, now = clock_raw_ns();

    if (block->began_ticks == 0)
        return began;
    ago = (uint64_t)((double)(run->clock->stop() - block->began_ticks) * ns_per_tick);
    return now > run->began_ns + ago ? now - ago : run->began_ns;
}

/* How long BLOCK took, ns. */
static uint64_t elapsed_of(const struct run *run, const struct block *block, uint64_t since)
{
    if (block->began_ticks && block->steady_ticks)
        return (uint64_t)((double)block->steady_ticks * run->clock->ns_per_tick);
    return clock_raw_ns() - since;
}

static int time_block(struct run *run, size_t series, size_t count)
{
    struct block block = {.count = count, .ticks = run->ticks[series]};
    struct current *current = &run->current[series];
    uint64_t preempted = counters_own_preemptions();
    uint64_t began = clock_raw_ns();
    int code = make_block(run, series, &block);

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

/* Take a block of SERIES, which was given up after the block was submitted. */
static int drop_block(struct run *run, size_t series, size_t count)
{
    struct block block = {.count = count, .ticks = run->ticks[series]};
    int code = make_block(run, series, &block);

    return code == -ECANCELED ? 0 : code;
}

static int run_block(struct run *run, size_t series, size_t count)
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
    return give_up(run, series, code);
}

/* Take the blocks of the round that was submitted first. */
static int take_round(struct run *run)
{
    struct ahead *ahead = &run->ahead;
    struct submitted block = {.is_last = false};
    int code = 0;

    while (code == 0 && !block.is_last) {
        if (ahead->count == 0)
            code = submit_ahead(run);
        if (code == 0 && ahead->count == 0)
            code = error_set(run->error, ERROR_FAILED, -ENODATA, "no calls are left to make");
        if (code)
            return code;
        block = ahead->blocks[ahead->first];
        code = run_block(run, block.series, block.count);
        ahead->first = (ahead->first + 1) % ahead->capacity;
        ahead->count--;
    }
    return code;
}

static int run_round(struct run *run, size_t count)
{
    int code = 0;

    if (run->source->submit)
        return take_round(run);
    order_series(run);
    for (size_t i = 0; i < run->plan->series && code == 0; i++)
        code = run_block(run, run->order[i], calls_in_block(run, run->order[i], count));
    return code;
}

/* Convert the current round's samples of SERIES to ns, in order of time. Returns their number. */
static size_t take_samples(struct run *run, size_t series)
{
    clock_samples_ns(run->clock, run->ticks[series], run->samples, run->current[series].recorded);
    return run->current[series].recorded;
}

/* The same in order of size. The ticks are sorted in place, and stay sorted. */
static size_t take_sorted_samples(struct run *run, size_t series)
{
    ticks_sort(run->ticks[series], run->spare, run->current[series].recorded);
    return take_samples(run, series);
}

/* A call that takes longer than this is among the slowest. */
static double slow_from(const struct series *series)
{
    return series->slowest_count < ROUNDS_SLOWEST ? -1 : series->slowest[ROUNDS_SLOWEST - 1].ns;
}

/* Keep the call at POSITION of the present block, which is among the slowest. */
static void keep_slow(struct run *run, size_t index, size_t position)
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

/* Of COUNT calls of the present block. Returns how many have samples. */
static size_t keep_calls(struct run *run, size_t index, size_t count)
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

static void keep_block(struct run *run, size_t index, size_t count)
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

/* Warm-up */

static double block_level(struct run *run, size_t series)
{
    size_t n = take_sorted_samples(run, series);

    return estimate_trimmed_mean(run->samples, n, TRIM);
}

static bool is_late(const struct run *run)
{
    return run->plan->warmup_until_ns && deadline_now_ns() >= run->plan->warmup_until_ns;
}

/* Run one window of rounds, and store each series' level in LEVELS. */
static int run_window(struct run *run, size_t count, struct warmup_level *levels)
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

static bool is_warm(const struct run *run, bool steady)
{
    return run->source->warm ? run->source->warm(run->source->context, steady) : steady;
}

static int warm_up(struct run *run, size_t count)
{
    struct warmup_level *levels = calloc(2 * run->plan->series, sizeof *levels);
    struct warmup_level *before = levels, *now = levels + run->plan->series;
    struct rounds *rounds = run->rounds;
    int code = 0;

    if (!levels)
        return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory for the warm-up");
    while (rounds->warmup < warmup_limit(rounds->planned) && !rounds->steady && code == 0 &&
           !is_late(run)) {
        code = run_window(run, count, now);
        if (code == 0 && rounds->warmup > WARMUP_WINDOW && !is_late(run))
            rounds->steady = is_warm(run, warmup_is_steady(before, now, run->plan->series));
        memcpy(before, now, run->plan->series * sizeof *now);
    }
    free(levels);
    return code;
}

/* The warm-up is over. The rounds that were submitted by then belong to it. */
static int end_warm_up(struct run *run)
{
    struct ahead *ahead = &run->ahead;
    int code = 0;

    if (!run->source->submit)
        return 0;
    ahead->warmup = ahead->round + (ahead->next > 0);
    while (code == 0 && run->rounds->warmup < ahead->warmup) {
        code = take_round(run);
        run->rounds->warmup++;
    }
    return code;
}

/* How many rounds the run has if it ends now, with those that were submitted. */
static size_t rounds_begun(const struct run *run)
{
    const struct ahead *ahead = &run->ahead;

    return run->source->submit ? ahead->round + (ahead->next > 0) - ahead->warmup
                               : run->rounds->done;
}

static int make_room(struct run *run)
{
    struct rounds *rounds = run->rounds;
    size_t capacity = 2 * rounds->capacity;

    if (rounds->done < rounds->capacity)
        return 0;
    if (capacity > rounds_most(rounds->series_count) || reserve(rounds, capacity) != 0)
        return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory after %zu rounds",
                         rounds->done);
    return 0;
}

static int measure_round(struct run *run)
{
    struct rounds *rounds = run->rounds;
    size_t count = calls_in_round(run, rounds->done);
    int code = make_room(run);

    memset(run->current, 0, rounds->series_count * sizeof *run->current);
    if (code == 0)
        code = run_round(run, count);
    for (size_t i = 0; i < rounds->series_count && code && run->plan->open_loop; i++)
        keep_calls(run, i, run->current[i].recorded);
    if (code)
        return code;
    for (size_t i = 0; i < rounds->series_count; i++)
        if (!rounds->series[i].given_up)
            keep_block(run, i, calls_in_block(run, i, count));
    rounds->done++;
    if (run->source->round_done)
        run->source->round_done(run->source->context, rounds->done);
    return 0;
}

static int measure(struct run *run)
{
    struct rounds *rounds = run->rounds;
    const struct block_source *source = run->source;
    int code = 0;

    if (source->measuring_begins)
        source->measuring_begins(source->context);
    run->began_ns = clock_raw_ns();
    while (rounds->done < rounds->planned && code == 0) {
        code = measure_round(run);
        /* In an open loop, -ETIME means that its rate can't be reached. */
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
    struct run run = {
        .rounds = rounds, .plan = plan, .clock = clock, .source = source, .error = error};
    int code = run_open(&run);

    if (code == 0 && plan->warmup) {
        run.ahead.warmup = SIZE_MAX;
        run.ahead.warmup_calls =
            (size_t)warmup_calls(rounds->planned, calls_in_round(&run, 0), plan->load);
        code = warm_up(&run, run.ahead.warmup_calls);
    }
    if (code == 0 && plan->warmup)
        code = end_warm_up(&run);
    if (code == 0)
        code = measure(&run);
    if (source->submit)
        source->finish(source->context);
    if (code == 0 && source->submit)
        code = clear_rounds(&run);
    run_close(&run);
    return code;
}
