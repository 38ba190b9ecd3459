#include "run/mix_run.h"

#include <errno.h>
#include <string.h>

#include "run/load_run.h"
#include "run/series/series.h"

static int out_of_memory(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the mix");
}

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
    mix->used = arena_alloc(arena, ops, sizeof *mix->used);
    mix->length = nfs_mix_divide(mix->mix, block, mix->shares);
    mix->capacity = mix->length + ops;
    mix->ticks = arena_alloc(arena, ops * mix->capacity, sizeof *mix->ticks);
    random_seed(&mix->random, set->plan->seed);
    random_seed(&mix->order.random, set->plan->seed);
    return mix->recorded && mix->used && mix->ticks ? 0 : out_of_memory(error);
}

void mix_run_close(struct mix_run *mix)
{
    arena_free(&mix->arena);
    memset(mix, 0, sizeof *mix);
}

static uint32_t mix_share(const struct mix_run *mix, size_t op, size_t count)
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
    return mix_share(mix, op_number(mix, series), count);
}

/* Do op number OP's calls need preparation or clean-up? If so, preparation draws their places. */
static bool is_prepared(const struct mix_run *mix, size_t op)
{
    return nfs_call_needs_preparation(&mix->ops[op]->call);
}

/* Prepare the calls of each op for a block of COUNT calls of the mix or, with CLEAR, clear up after
 * the calls that were made since the last preparation. */
static int prepare_or_clear(struct mix_run *mix, size_t count, bool clear, struct error *error)
{
    int code = 0;

    for (size_t op = 0; op < mix->mix->count && code == 0; op++) {
        struct run_series *series = mix->ops[op];

        if (!is_prepared(mix, op) || series->failure)
            continue;
        if (clear)
            code = series_set_clear(mix->set, series, mix->used[op], error);
        else
            code = series_set_prepare(mix->set, series, mix_share(mix, op, count), error);
        mix->used[op] = 0;
        if (code)
            code = series_set_give_up(mix->set, series, code, error);
    }
    return code;
}

static struct engine_step next_step(struct mix_block *block, size_t op)
{
    const size_t number = block->called[op]++;

    return (struct engine_step){.call = &block->calls[op],
                                .variant = block->first[op] + number,
                                .is_last = block->called[op] == block->shares[op]};
}

static void set_step(struct mix_block *block, size_t at, size_t op)
{
    block->sequence[at] = op;
    block->steps[at] = next_step(block, op);
}

/* This is choose() of struct engine_call; CHOOSER is a block. Choose the op of each of the block's
 * calls FIRST to FIRST + COUNT - 1, which CLIENT makes. */
static void choose_steps(void *chooser, unsigned client, size_t first, size_t count)
{
    struct mix_block *block = chooser;
    struct mix_run *mix = block->mix;

    if (first == 0)
        op_order_begin(&mix->order, &mix->mix->after, block->shares, mix->mix->count);
    for (size_t i = first; i < first + count; i++)
        set_step(block, i, op_order_next(&mix->order, client));
}

/* Set the order of BLOCK's calls. Without a fixed order in the mix, it is random. With a fixed
 * order and without load, choose_steps() sets it now. With a fixed order under load, the engine
 * calls choose_steps() when it makes a call. */
static void draw_sequence(struct mix_block *block)
{
    struct mix_run *mix = block->mix;
    size_t length = 0;

    for (size_t op = 0; op < mix->mix->count; op++)
        for (uint32_t i = block->shares[op]; i > 0; i--)
            block->sequence[length++] = op;
    random_shuffle(&mix->random, block->sequence, length);
    if (!mix->mix->ordered)
        for (size_t i = 0; i < length; i++)
            set_step(block, i, block->sequence[i]);
    else if (mix->load)
        block->all.choose = choose_steps;
    else
        choose_steps(block, 0, 0, length);
}

/* Set BLOCK's CALLS. If an op's places in files are not drawn by preparation, draw them here and
 * copy them, because the next block draws others. */
static int draw_calls(struct mix_block *block, struct error *error)
{
    struct mix_run *mix = block->mix;
    struct engine_place *places = block->places;
    int code = 0;

    for (size_t op = 0; op < mix->mix->count && code == 0; op++) {
        struct nfs_call *call = &mix->ops[op]->call;
        const uint32_t share = block->shares[op];

        block->called[op] = 0;
        block->first[op] = is_prepared(mix, op) ? mix->used[op] : 0;
        mix->used[op] += share;
        if (!is_prepared(mix, op))
            code = nfs_call_draw(call, share, error);
        block->calls[op] = call->engine;
        if (code || is_prepared(mix, op) || !call->places.differ || share == 0)
            continue;
        block->calls[op].places = memcpy(places, call->engine.places, share * sizeof *places);
        places += share;
    }
    return code;
}

static struct mix_block *take_block(struct mix_run *mix)
{
    struct mix_block *block = mix->spare;
    struct arena *arena = &mix->arena;

    if (block) {
        mix->spare = block->next;
        return block;
    }
    block = arena_alloc(arena, 1, sizeof *block);
    if (!block)
        return NULL;
    block->mix = mix;
    block->places = arena_alloc(arena, mix->capacity, sizeof *block->places);
    block->sequence = arena_alloc(arena, mix->capacity, sizeof *block->sequence);
    block->steps = arena_alloc(arena, mix->capacity, sizeof *block->steps);
    return block->places && block->sequence && block->steps ? block : NULL;
}

static int begin_block(struct mix_run *mix, size_t count, struct error *error)
{
    struct mix_block *block = take_block(mix);
    int code;

    if (!block)
        return out_of_memory(error);
    block->next = NULL;
    block->all = (struct engine_call){.steps = block->steps, .chooser = block};
    block->length = 0;
    for (size_t op = 0; op < mix->mix->count; op++) {
        block->shares[op] = mix_share(mix, op, count);
        block->length += block->shares[op];
    }
    code = draw_calls(block, error);
    draw_sequence(block);
    if (mix->oldest)
        mix->latest->next = block;
    else
        mix->oldest = block;
    mix->latest = block;
    return code;
}

static void end_block(struct mix_run *mix)
{
    struct mix_block *block = mix->oldest;

    mix->oldest = block->next;
    mix->made = block;
    block->next = mix->spare;
    mix->spare = block;
}

static bool mix_has_one_schedule(const struct mix_run *mix)
{
    return mix->load && mix->load->continuous;
}

int mix_run_prepare(struct mix_run *mix, size_t count, struct error *error)
{
    int code = prepare_or_clear(mix, count, false, error);

    return code || mix_has_one_schedule(mix) ? code : begin_block(mix, count, error);
}

int mix_run_clear(struct mix_run *mix, struct error *error)
{
    return prepare_or_clear(mix, 0, true, error);
}

int mix_run_submit(struct mix_run *mix, size_t count, struct error *error)
{
    int code = begin_block(mix, count, error);

    return code ? code : load_run_submit(mix->load, &mix->latest->all, mix->latest->length, error);
}

static uint64_t *next_ticks(const struct mix_run *mix, size_t op)
{
    return mix->ticks + op * mix->capacity + mix->recorded[op];
}

/* Call op number OP, if not given up, as variant NUMBER. Add a sample to the op and to BLOCK. */
static int call_op(struct mix_run *mix, size_t op, size_t number, struct block *block,
                   struct error *error)
{
    struct run_series *series = mix->ops[op];
    struct block one = {.count = 1, .ticks = next_ticks(mix, op)};
    int code;

    if (series->failure)
        return 0;
    series->call.engine.first = number;
    code = series_set_run(mix->set, series, &one, &series->tally, error);
    series->call.engine.first = 0;
    if (code == 0 && one.recorded) {
        block->ticks[block->recorded++] = *one.ticks;
        mix->recorded[op]++;
    }
    return code ? series_set_give_up(mix->set, mix->ops[op], code, error) : 0;
}

/* Make one call of op number OP with variant NUMBER over a connection that the schedule does not
 * use. If the call succeeds, add its latency to the op's ticks. */
static int call_apart(struct mix_run *mix, size_t op, size_t number, struct error *error)
{
    const struct series_set *set = mix->set;
    struct run_series *series = mix->ops[op];
    const uint64_t began = set->clock->start();
    int status, code = nfs_call_once(&series->call, number, set->setup->clients[series->service],
                                     &status, error);

    *next_ticks(mix, op) = set->clock->stop() - began;
    if (code)
        return series_set_give_up(mix->set, series, code, error);
    if (status)
        engine_count_error(&series->tally, status);
    else
        mix->recorded[op]++;
    return 0;
}

/* If no call of op number OP in the block left a sample, call the op again, because each round
 * needs a sample of each op, and a rare op has a single call. If all TRIES fail, give up the op. */
static int retry_op(struct mix_run *mix, size_t op, struct error *error)
{
    enum { TRIES = 5 };
    const size_t number = mix->oldest->first[op];
    uint64_t unused_ticks;
    int code = 0;

    for (int i = 0; i < TRIES && mix->recorded[op] == 0 && !mix->ops[op]->failure && code == 0;
         i++) {
        struct block unused = {.count = 1, .ticks = &unused_ticks};

        code = mix_has_one_schedule(mix) ? call_apart(mix, op, number, error)
                                         : call_op(mix, op, number, &unused, error);
    }
    if (code || mix->recorded[op] > 0 || mix->ops[op]->failure)
        return code;
    return series_set_give_up(mix->set, mix->ops[op],
                              series_failed_block_error(mix->set->plan, mix->ops[op], error),
                              error);
}

static int call_one_by_one(struct mix_run *mix, struct block *block, struct error *error)
{
    const struct mix_block *made = mix->oldest;
    int code = 0;

    for (size_t i = 0; i < made->length && code == 0; i++)
        code = call_op(mix, made->sequence[i], made->steps[i].variant, block, error);
    return code;
}

/* Under load: give the engine all calls of the block at once, and assign their ticks to the ops. */
static int call_at_once(struct mix_run *mix, struct block *block, struct error *error)
{
    const struct mix_block *made = mix->oldest;
    const size_t count = block->count;
    int code;

    block->count = made->length;
    code = load_run_block(mix->load, mix->series, &made->all, block, error);
    block->count = count;
    for (size_t i = 0; i < block->recorded; i++) {
        const size_t op = made->sequence[mix->load->detail.number[i]];

        *next_ticks(mix, op) = block->ticks[i];
        mix->recorded[op]++;
    }
    if (code == 0 && block->is_cut)
        return error_set(error, ERROR_FAILED, -ETIME,
                         "the time ended after %zu of the first %zu calls, because of think times: "
                         "raise --max-time, or give --rate",
                         block->recorded, made->length);
    return code;
}

static int make_mix_block(struct mix_run *mix, struct block *block, struct error *error)
{
    const size_t ops = mix->mix->count;
    int code;

    memset(mix->recorded, 0, ops * sizeof *mix->recorded);
    block->recorded = 0;
    code = mix->load ? call_at_once(mix, block, error) : call_one_by_one(mix, block, error);
    if (block->recorded == 0 && block->unanswered > 0) /* the server does not answer any more */
        return code;
    for (size_t op = 0; op < ops && code == 0; op++)
        code = retry_op(mix, op, error);
    return code;
}

int mix_run_block(struct mix_run *mix, struct block *block, struct error *error)
{
    int code = make_mix_block(mix, block, error);

    if (code != -EAGAIN)
        end_block(mix);
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

static uint64_t sum_calls(const struct series *ops, size_t count)
{
    uint64_t calls = 0;

    for (size_t op = 0; op < count; op++)
        calls += ops[op].calls;
    return calls;
}

static void add_up_ops(struct series *mix, const struct series *ops, size_t count)
{
    double before = sum_of(&mix->histogram);

    memset(&mix->histogram, 0, sizeof mix->histogram);
    for (size_t op = 0; op < count; op++)
        histogram_add(&mix->histogram, &ops[op].histogram);
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
    whole->calls = sum_calls(ops, mix->mix->count); /* may differ from the plan's number */
    if (mix->reduced)
        add_up_ops(whole, ops, mix->mix->count);
    for (size_t op = 0; op < mix->mix->count; op++)
        ops[op].elapsed_ns = 0;
}
