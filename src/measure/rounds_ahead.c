#include "measure/rounds_ahead.h"

#include <errno.h>
#include <stdlib.h>

#include "measure/warmup.h"

static int no_memory(const struct rounds_run *run)
{
    return error_set(run->error, ERROR_FAILED, -ENOMEM, "out of memory for a round");
}

static int remember_block(struct rounds_run *run, struct rounds_submitted block)
{
    struct rounds_ahead *ahead = &run->ahead;

    if (ahead->count == ahead->capacity) {
        const size_t capacity = ahead->capacity ? 2 * ahead->capacity : 64;
        struct rounds_submitted *blocks = calloc(capacity, sizeof *blocks);

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

/* Return the largest number of rounds that may still be submitted. */
static size_t rounds_left(const struct rounds_run *run)
{
    const struct block_source *source = run->source;
    const struct rounds_ahead *ahead = &run->ahead;

    if (ahead->ended || (ahead->round > 0 && source->is_over && source->is_over(source->context)))
        return 0;
    if (ahead->round < ahead->warmup)
        return warmup_limit(run->rounds->planned) + run->rounds->planned - run->rounds->warmup;
    return run->rounds->planned - (ahead->round - ahead->warmup);
}

int rounds_ahead_clear(struct rounds_run *run)
{
    const struct block_source *source = run->source;
    size_t *calls = run->ahead.calls;
    int code = 0;

    for (size_t i = 0; i < run->plan->series && code == 0; i++) {
        if (calls[i] > 0 && source->clear && !run->rounds->series[i].given_up)
            code =
                rounds_run_give_up(run, i, source->clear(source->context, i, calls[i], run->error));
        calls[i] = 0;
    }
    return code;
}

static size_t agree_least(const struct rounds_run *run, size_t value)
{
    const struct block_source *source = run->source;

    return source->least ? (size_t)source->least(source->context, value) : value;
}

static int prepare_rounds(struct rounds_run *run, size_t count)
{
    const struct block_source *source = run->source;
    int code = rounds_ahead_clear(run);

    for (size_t i = 0; i < run->plan->series && code == 0; i++) {
        const size_t calls = count * rounds_run_calls_in_block(run, i, run->plan->block);

        if (!run->rounds->series[i].given_up)
            code =
                rounds_run_give_up(run, i, source->prepare(source->context, i, calls, run->error));
    }
    run->ahead.prepared = run->ahead.round + count;
    return code;
}

/* Begin the next round to be submitted. If it needs preparation, call finish() and prepare it with
 * the rounds after it. Returns 0, the source's error, or -EAGAIN if no round is left or if the
 * preparation has to wait for earlier blocks; finish() was called then. */
static int begin_ahead(struct rounds_run *run)
{
    const struct block_source *source = run->source;
    struct rounds_ahead *ahead = &run->ahead;
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
        code = prepare_rounds(run, agree_least(run, together < left ? together : left));
    rounds_run_order(run);
    ahead->in_round = ahead->round >= ahead->warmup
                          ? rounds_run_calls_in_round(run, ahead->round - ahead->warmup)
                          : ahead->warmup_calls;
    return code;
}

static int submit_one(struct rounds_run *run)
{
    struct rounds_ahead *ahead = &run->ahead;
    const size_t series = run->order[ahead->next++];
    const bool is_last = ahead->next == run->plan->series;
    const size_t count = run->rounds->series[series].given_up
                             ? 0
                             : rounds_run_calls_in_block(run, series, ahead->in_round);
    int code = remember_block(run, (struct rounds_submitted){series, count, is_last});

    if (code == 0 && count > 0)
        code = run->source->submit(run->source->context, series, count, run->error);
    ahead->calls[series] += count;
    if (is_last) {
        ahead->next = 0;
        ahead->round++;
    }
    return code;
}

int rounds_ahead_submit(struct rounds_run *run)
{
    const struct block_source *source = run->source;
    struct rounds_ahead *ahead = &run->ahead;
    int code = ahead->code;

    while (code == 0 && (ahead->count == 0 || source->wants_block(source->context))) {
        if (ahead->next == 0)
            code = begin_ahead(run);
        if (code == 0)
            code = submit_one(run);
    }
    return code == -EAGAIN ? 0 : code;
}

/* Submit blocks while the source waits for other processes. Does not prepare rounds. */
static void submit_while_waiting(void *context)
{
    struct rounds_run *run = context;
    struct rounds_ahead *ahead = &run->ahead;

    if (ahead->count > 0 && !ahead->is_held && ahead->code == 0)
        ahead->code = rounds_ahead_submit(run);
}

void rounds_ahead_open(struct rounds_run *run)
{
    const struct block_source *source = run->source;

    if (source->submit && source->while_waiting)
        source->while_waiting(source->context, submit_while_waiting, run);
}

void rounds_ahead_close(struct rounds_run *run)
{
    const struct block_source *source = run->source;

    if (source->submit && source->while_waiting)
        source->while_waiting(source->context, NULL, NULL);
    if (source->submit)
        source->finish(source->context);
}

int rounds_ahead_oldest(struct rounds_run *run, struct rounds_submitted *block)
{
    struct rounds_ahead *ahead = &run->ahead;
    int code = ahead->count == 0 ? rounds_ahead_submit(run) : 0;

    if (code == 0 && ahead->count == 0)
        code = error_set(run->error, ERROR_FAILED, -ENODATA, "no calls are left to make");
    if (code == 0)
        *block = ahead->blocks[ahead->first];
    return code;
}

void rounds_ahead_forget(struct rounds_run *run)
{
    struct rounds_ahead *ahead = &run->ahead;

    ahead->first = (ahead->first + 1) % ahead->capacity;
    ahead->count--;
}

size_t rounds_ahead_begun(struct rounds_run *run)
{
    struct rounds_ahead *ahead = &run->ahead;
    size_t most;

    ahead->is_held = true;
    most = SIZE_MAX - agree_least(run, SIZE_MAX - (ahead->round + (ahead->next > 0)));
    ahead->is_held = false;
    return most;
}
