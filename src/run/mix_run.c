#include "run/mix_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/load_run.h"
#include "run/series.h"

int mix_run_open(struct mix_run *mix, struct series_set *set, struct load_run *load, uint32_t block,
                 struct error *error)
{
    size_t ops = set->mix_ops.count;

    *mix = (struct mix_run){.mix = &set->mix_ops,
                            .set = set,
                            .load = run_plan_makes_load(set->plan) ? load : NULL,
                            .series = set->mix,
                            .ops = set->series + set->mix->index + 1};
    mix->shares = calloc(NFS_MIX_OPS_MAXIMUM, sizeof *mix->shares);
    mix->recorded = calloc(ops, sizeof *mix->recorded);
    mix->called = calloc(ops, sizeof *mix->called);
    if (mix->shares)
        mix->length = nfs_mix_divide(mix->mix, block, mix->shares);
    mix->capacity = mix->length + ops;
    mix->sequence = calloc(mix->capacity, sizeof *mix->sequence);
    mix->steps = calloc(mix->capacity, sizeof *mix->steps);
    mix->ticks = calloc(ops * mix->capacity, sizeof *mix->ticks);
    random_seed(&mix->random, set->plan->seed);
    if (mix->shares && mix->recorded && mix->called && mix->sequence && mix->steps && mix->ticks)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the mix");
}

void mix_run_close(struct mix_run *mix)
{
    free(mix->shares);
    free(mix->sequence);
    free(mix->steps);
    free(mix->ticks);
    free(mix->recorded);
    free(mix->called);
    memset(mix, 0, sizeof *mix);
}

static uint32_t share_of(const struct mix_run *mix, size_t op, size_t count)
{
    uint64_t share = (uint64_t)mix->shares[op] * count / mix->length;

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

/* Draw the calls of a block of COUNT in random order. Returns their number. */
static size_t draw_sequence(struct mix_run *mix, size_t count)
{
    size_t length = 0;

    for (size_t op = 0; op < mix->mix->count; op++)
        for (uint32_t i = share_of(mix, op, count); i > 0; i--)
            mix->sequence[length++] = op;
    random_shuffle(&mix->random, mix->sequence, length);
    return length;
}

int mix_run_prepare(struct mix_run *mix, size_t count, struct error *error)
{
    int code = 0;

    for (size_t op = 0; op < mix->mix->count && code == 0; op++)
        code = series_set_prepare(mix->set, mix->ops[op], share_of(mix, op, count), error);
    return code;
}

int mix_run_clear(struct mix_run *mix, size_t count, struct error *error)
{
    int code = 0;

    for (size_t op = 0; op < mix->mix->count && code == 0; op++)
        code = series_set_clear(mix->set, mix->ops[op], share_of(mix, op, count), error);
    return code;
}

/* The number of OP's next call in the block: its variant, or its place. */
static size_t next_number(struct mix_run *mix, size_t op)
{
    return mix->called[op]++;
}

/* Make one call of OP, and add its ticks to OP's and to BLOCK's. */
static int call_op(struct mix_run *mix, size_t op, struct block *block, struct error *error)
{
    struct run_series *series = mix->ops[op];
    struct block one = {.count = 1, .ticks = mix->ticks + op * mix->capacity + mix->recorded[op]};
    int code;

    series->call.engine.first = next_number(mix, op);
    code = series_set_run(mix->set, series, &one, &series->tally, error);
    series->call.engine.first = 0;
    if (code == 0 && one.recorded) {
        block->ticks[block->recorded++] = *one.ticks;
        mix->recorded[op]++;
    }
    return code;
}

/* A rare op has one call in a block. If that fails, it is called again, so that each round has a
 * sample of each op. */
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
    return code;
}

static int call_one_by_one(struct mix_run *mix, size_t length, struct block *block,
                           struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < length && code == 0; i++)
        code = call_op(mix, mix->sequence[i], block, error);
    return code;
}

/* Under load, LENGTH calls go to the engine as one block, and their ticks are assigned to the ops
 * afterwards. Failed calls count as the mix's. */
static int call_at_once(struct mix_run *mix, size_t length, struct block *block,
                        struct error *error)
{
    const struct engine_call all = {.steps = mix->steps};
    struct block whole = {.count = length, .ticks = block->ticks};
    int code;

    for (size_t i = 0; i < length; i++) {
        size_t op = mix->sequence[i];

        mix->steps[i] = (struct engine_step){&mix->ops[op]->call.engine, next_number(mix, op)};
    }
    code = load_run_block(mix->load, mix->series, &all, &whole, error);
    block->recorded = whole.recorded;
    for (size_t i = 0; i < whole.recorded; i++) {
        size_t op = mix->sequence[mix->load->detail.number[i]];

        mix->ticks[op * mix->capacity + mix->recorded[op]++] = whole.ticks[i];
    }
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

void mix_run_op_samples(const struct mix_run *mix, const struct run_series *series,
                        struct block *block)
{
    size_t op = op_number(mix, series);

    block->recorded = mix->recorded[op];
    memcpy(block->ticks, mix->ticks + op * mix->capacity, block->recorded * sizeof *block->ticks);
}

void mix_run_set_level(const struct mix_run *mix, struct rounds *rounds)
{
    double *level = rounds->series[mix->series->index].blocks[BLOCK_TRIMMED_MEAN];
    struct series *ops = &rounds->series[mix->ops[0]->index];

    for (size_t round = 0; round < rounds->done; round++) {
        level[round] = 0;
        for (size_t op = 0; op < mix->mix->count; op++)
            level[round] +=
                ops[op].blocks[BLOCK_TRIMMED_MEAN][round] * mix->shares[op] / mix->length;
    }
    for (size_t op = 0; op < mix->mix->count; op++)
        ops[op].elapsed_ns = 0;
}
