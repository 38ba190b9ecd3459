#include "run/mix_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/load_run.h"
#include "run/series.h"

int mix_run_open(struct mix_run *mix, struct series_set *set, struct load_run *load, uint32_t block,
                 struct error *error)
{
    struct arena *arena = &mix->arena;
    size_t ops = set->mix_ops.count;

    *mix = (struct mix_run){.mix = &set->mix_ops,
                            .set = set,
                            .load = run_plan_makes_load(set->plan) ? load : NULL,
                            .series = set->mix,
                            .ops = set->series + set->mix->index + 1};
    mix->recorded = arena_alloc(arena, ops, sizeof *mix->recorded);
    mix->called = arena_alloc(arena, ops, sizeof *mix->called);
    mix->length = nfs_mix_divide(mix->mix, block, mix->shares);
    mix->capacity = mix->length + ops;
    mix->sequence = arena_alloc(arena, mix->capacity, sizeof *mix->sequence);
    mix->steps = arena_alloc(arena, mix->capacity, sizeof *mix->steps);
    mix->ticks = arena_alloc(arena, ops * mix->capacity, sizeof *mix->ticks);
    random_seed(&mix->random, set->plan->seed);
    random_seed(&mix->order.random, set->plan->seed);
    if (mix->recorded && mix->called && mix->sequence && mix->steps && mix->ticks)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the mix");
}

void mix_run_close(struct mix_run *mix)
{
    arena_free(&mix->arena);
    memset(mix, 0, sizeof *mix);
}

/* The calls of an op in a block of COUNT; none of an op that was given up. */
static uint32_t share_of(const struct mix_run *mix, size_t op, size_t count)
{
    uint64_t share = (uint64_t)mix->shares[op] * count / mix->length;

    if (mix->ops[op]->failure)
        return 0;
    return share < 1 ? 1 : (uint32_t)share;
}

static size_t op_number(const struct mix_run *mix, const struct run_series *series)
{
    return series->index - mix->ops[0]->index;
}

uint32_t mix_run_calls_in_block(const struct mix_run *mix, const struct run_series *series,
                                size_t count)
{
    return share_of(mix, op_number(mix, series), count);
}

static void begin_order(struct mix_run *mix, size_t count)
{
    uint32_t shares[NFS_MIX_OPS_MAXIMUM];

    for (size_t op = 0; op < mix->mix->count; op++)
        shares[op] = share_of(mix, op, count);
    op_order_begin(&mix->order, &mix->mix->after, shares, mix->mix->count);
}

/* Draw the calls of a block of COUNT in random order, or, where each depends on the one before, as
 * one client makes them. Returns their number. */
static size_t draw_sequence(struct mix_run *mix, size_t count)
{
    size_t length = 0;

    for (size_t op = 0; op < mix->mix->count; op++)
        for (uint32_t i = share_of(mix, op, count); i > 0; i--)
            mix->sequence[length++] = op;
    random_shuffle(&mix->random, mix->sequence, length);
    if (!mix->mix->ordered)
        return length;
    begin_order(mix, count);
    for (size_t i = 0; i < length && !mix->load; i++)
        mix->sequence[i] = op_order_next(&mix->order, 0);
    return length;
}

/* Prepare the calls of each op in a block of COUNT, or CLEAR what they left. */
static int attend(struct mix_run *mix, size_t count, bool clear, struct error *error)
{
    int code = 0;

    for (size_t op = 0; op < mix->mix->count && code == 0; op++) {
        struct run_series *series = mix->ops[op];
        uint32_t share = share_of(mix, op, count);

        if (share)
            code = clear ? series_set_clear(mix->set, series, share, error)
                         : series_set_prepare(mix->set, series, share, error);
        if (code)
            code = series_set_give_up(mix->set, series, code, error);
    }
    return code;
}

int mix_run_prepare(struct mix_run *mix, size_t count, struct error *error)
{
    return attend(mix, count, false, error);
}

int mix_run_clear(struct mix_run *mix, size_t count, struct error *error)
{
    return attend(mix, count, true, error);
}

/* Make one call of OP, unless it was given up, and add its ticks to OP's and to BLOCK's. */
static int call_op(struct mix_run *mix, size_t op, struct block *block, struct error *error)
{
    struct run_series *series = mix->ops[op];
    struct block one = {.count = 1, .ticks = mix->ticks + op * mix->capacity + mix->recorded[op]};
    int code;

    if (series->failure)
        return 0;
    series->call.engine.first = mix->called[op]++;
    code = series_set_run(mix->set, series, &one, &series->tally, error);
    series->call.engine.first = 0;
    if (code == 0 && one.recorded) {
        block->ticks[block->recorded++] = *one.ticks;
        mix->recorded[op]++;
    }
    return code ? series_set_give_up(mix->set, mix->ops[op], code, error) : 0;
}

/* A rare op has one call in a block. If that fails, it is called again, so that each round has a
 * sample of each op; if all calls fail, it is given up. */
static int retry_op(struct mix_run *mix, size_t op, struct error *error)
{
    enum { TRIES = 5 };
    uint64_t unused_ticks;
    int code = 0;

    for (int i = 0; i < TRIES && mix->recorded[op] == 0 && code == 0; i++) {
        struct block unused = {.count = 1, .ticks = &unused_ticks};

        mix->called[op] = 0;
        code = call_op(mix, op, &unused, error);
    }
    if (code || mix->recorded[op] > 0 || mix->ops[op]->failure)
        return code;
    return series_set_give_up(mix->set, mix->ops[op],
                              series_failed_block_error(mix->set->plan, mix->ops[op], error),
                              error);
}

static int call_one_by_one(struct mix_run *mix, size_t length, struct block *block,
                           struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < length && code == 0; i++)
        code = call_op(mix, mix->sequence[i], block, error);
    return code;
}

static void set_step(struct mix_run *mix, size_t at)
{
    size_t op = mix->sequence[at];

    mix->steps[at] = (struct engine_step){&mix->ops[op]->call.engine, mix->called[op]++};
}

/* Set the calls that CLIENT makes next (struct engine_call). */
static void choose_steps(void *chooser, unsigned client, size_t first, size_t count)
{
    struct mix_run *mix = chooser;

    for (size_t i = first; i < first + count; i++) {
        mix->sequence[i] = op_order_next(&mix->order, client);
        set_step(mix, i);
    }
}

/* Under load, LENGTH calls go to the engine as one block, and their ticks are assigned to the ops
 * afterwards. Failed calls count as the mix's. */
static int call_at_once(struct mix_run *mix, size_t length, struct block *block,
                        struct error *error)
{
    const struct engine_call all = {
        .steps = mix->steps, .choose = mix->mix->ordered ? choose_steps : NULL, .chooser = mix};
    struct block whole = {.count = length, .ticks = block->ticks, .until_ns = block->until_ns};
    int code;

    for (size_t i = 0; i < length && !all.choose; i++)
        set_step(mix, i);
    code = load_run_block(mix->load, mix->series, &all, &whole, error);
    block->recorded = whole.recorded;
    block->steady_calls = whole.steady_calls;
    block->steady_ticks = whole.steady_ticks;
    block->is_cut = whole.is_cut;
    for (size_t i = 0; i < whole.recorded; i++) {
        size_t op = mix->sequence[mix->load->detail.number[i]];

        mix->ticks[op * mix->capacity + mix->recorded[op]++] = whole.ticks[i];
    }
    if (code == 0 && whole.is_cut)
        return error_set(error, ERROR_FAILED, -ETIME,
                         "the time was over after %zu of the first %zu calls, because of think "
                         "times: give a longer --max-time, or a --rate",
                         whole.recorded, length);
    return code;
}

int mix_run_block(struct mix_run *mix, struct block *block, struct error *error)
{
    size_t ops = mix->mix->count, length = draw_sequence(mix, block->count);
    int code;

    memset(mix->recorded, 0, ops * sizeof *mix->recorded);
    memset(mix->called, 0, ops * sizeof *mix->called);
    block->recorded = 0;
    code = mix->load ? call_at_once(mix, length, block, error)
                     : call_one_by_one(mix, length, block, error);
    for (size_t op = 0; op < ops && code == 0; op++)
        code = retry_op(mix, op, error);
    return code;
}

int mix_run_op_samples(const struct mix_run *mix, const struct run_series *series,
                       struct block *block)
{
    size_t op = op_number(mix, series);

    if (series->failure)
        return -ECANCELED;
    block->recorded = mix->recorded[op];
    memcpy(block->ticks, mix->ticks + op * mix->capacity, block->recorded * sizeof *block->ticks);
    return 0;
}

void mix_run_remove(struct mix_run *mix, const struct run_series *series)
{
    size_t op = op_number(mix, series);

    mix->length -= mix->shares[op];
    nfs_mix_remove(&mix->set->mix_ops, series->name);
    memmove(mix->shares + op, mix->shares + op + 1, (mix->mix->count - op) * sizeof *mix->shares);
    mix->reduced = true;
}

static double sum_of(const struct histogram *calls)
{
    return calls->mean * (double)calls->count;
}

/* The mix's calls are those of the ops that are left, and the time that they took. */
static void add_up_ops(struct series *mix, const struct series *ops, size_t count)
{
    double before = sum_of(&mix->histogram);

    mix->calls = 0;
    memset(&mix->histogram, 0, sizeof mix->histogram);
    for (size_t op = 0; op < count; op++) {
        mix->calls += ops[op].calls;
        histogram_add(&mix->histogram, &ops[op].histogram);
    }
    if (before > 0)
        mix->elapsed_ns = (uint64_t)((double)mix->elapsed_ns * sum_of(&mix->histogram) / before);
}

void mix_run_complete(const struct mix_run *mix, struct rounds *rounds)
{
    struct series *whole = &rounds->series[mix->series->index], *ops = whole + 1;
    double *level = whole->blocks[BLOCK_TRIMMED_MEAN];

    for (size_t round = 0; round < rounds->done; round++) {
        level[round] = 0;
        for (size_t op = 0; op < mix->mix->count; op++)
            level[round] +=
                ops[op].blocks[BLOCK_TRIMMED_MEAN][round] * mix->shares[op] / mix->length;
    }
    if (mix->reduced)
        add_up_ops(whole, ops, mix->mix->count);
    for (size_t op = 0; op < mix->mix->count; op++)
        ops[op].elapsed_ns = 0;
}
