/* The blocks of an open loop: which calls leave samples, the rate, the calls in flight, variants
 * and places, the end of a block, and the begin of a segment. */
#include "test.h"

#include "engine/block_queue.h"

enum { WORKERS = 2, GAP = 1000, SERVICE = 300, CALLS = 20 };

static uint64_t no_time(void)
{
    return 0;
}

static const struct clock ticks = {.start = no_time, .stop = no_time, .ns_per_tick = 1};
static const struct engine_call call = {.variants = 1};

/* Add call NUMBER of the schedule to BLOCK. The call is due at tick (NUMBER + 1) * GAP, is sent
 * LATE ticks later, and takes SERVICE ticks. So each worker has, on average, SERVICE / GAP /
 * WORKERS calls in flight. */
static void make_call(struct queued_block *block, uint64_t number, uint64_t late)
{
    struct queued_part *part = &block->parts[number % WORKERS];
    struct engine_samples *samples = &part->samples;
    const size_t at = samples->count++;
    const uint64_t due = (number + 1) * GAP;

    part->began = part->began ? part->began : due;
    samples->of[at] = (struct sample_of){0, (uint32_t)(number - block->first)};
    samples->response[at] = late + SERVICE;
    samples->service[at] = SERVICE;
    samples->held[at] = 0;
    samples->done[at] = due + late + SERVICE;
    samples->area[at] = number / WORKERS * SERVICE;
}

static void make_block(struct block_queue *queue)
{
    struct queued_block *block = queue->latest;

    for (uint64_t i = block->first; i < block->first + block->count; i++)
        make_call(block, i, 0);
}

/* Collect the oldest block. Calls in its first SETTLE ticks leave no samples, unless they are among
 * the block's last 3 calls, or the last of their procedure in a mix. */
static struct block collect(struct block_queue *queue, uint64_t settle)
{
    static uint64_t room[CALLS];
    struct block block = {.count = CALLS, .ticks = room, .skip_ticks = settle};
    struct engine_tally tally = {.failed = 0};

    block_queue_collect(queue, &block, &tally);
    assert_int_equal(tally.steady_calls, block.steady_calls);
    return block;
}

static void open_queue(struct block_queue *queue)
{
    assert_int_equal(block_queue_open(queue, WORKERS, 1e9 / GAP, &ticks), 0);
}

static void append(struct block_queue *queue)
{
    assert_int_equal(block_queue_append(queue, &call, CALLS), 0);
    make_block(queue);
}

TEST_CASE(rate_and_calls_in_flight_continue)
{
    struct block_queue queue;
    struct block first, second;

    open_queue(&queue);
    append(&queue);
    append(&queue);
    first = collect(&queue, 0);
    second = collect(&queue, 0);
    assert_all((first.recorded, CALLS), (first.steady_calls, CALLS - 1),
               (second.steady_calls, CALLS), (first.steady_ticks, (CALLS - 1) * GAP),
               (second.steady_ticks, CALLS * GAP), (second.began_ticks, (CALLS + 1) * GAP));
    assert_near(first.in_flight, (double)SERVICE / GAP, 1e-9);
    assert_near(second.in_flight, (double)SERVICE / GAP, 1e-9);
    block_queue_close(&queue);
}

/* Calls of a block's first ticks, here 5 or 1000 GAPs, are counted but leave no sample. The last 3
 * calls always leave one. */
TEST_CASE(calls_after_a_change_are_left_out)
{
    struct block_queue queue;
    struct block some, most;

    open_queue(&queue);
    append(&queue);
    append(&queue);
    some = collect(&queue, 5 * GAP);
    most = collect(&queue, 1000 * GAP);
    assert_all((some.left_out, 5), (some.recorded, CALLS - 5), (most.left_out, CALLS - 3),
               (most.recorded, 3), (some.steady_calls, CALLS - 1), (most.steady_calls, CALLS));
    assert_near(some.in_flight, (double)SERVICE / GAP, 1e-9);
    block_queue_close(&queue);
}

TEST_CASE(a_rare_call_is_not_left_out)
{
    const struct engine_step usual = {.call = &call}, rare = {.call = &call, .is_last = true};
    struct engine_step steps[CALLS];
    const struct engine_call mix = {.steps = steps};
    struct block_queue queue;
    struct block block;

    for (size_t i = 0; i < CALLS; i++)
        steps[i] = i == 3 ? rare : usual;
    open_queue(&queue);
    assert_int_equal(block_queue_append(&queue, &mix, CALLS), 0);
    make_block(&queue);
    queue.oldest->parts[3 % WORKERS].samples.area[3 / WORKERS] = 0;
    block = collect(&queue, 1000 * GAP);
    assert_all((block.left_out, CALLS - 4), (block.recorded, 4));
    assert_near(block.in_flight, (double)SERVICE / GAP, 1e-9);
    block_queue_close(&queue);
}

/* Calls may be sent in another order than they were added, so that a later call can have a smaller
 * AREA. The mean number in flight must not become negative. */
TEST_CASE(calls_in_flight_are_never_below_none)
{
    struct block_queue queue;
    struct engine_samples *samples;
    struct block block;

    open_queue(&queue);
    append(&queue);
    samples = &queue.oldest->parts[0].samples;
    samples->area[samples->count - 1] = 0;
    block = collect(&queue, 10 * GAP);
    assert_true(block.in_flight >= 0 && block.in_flight < CALLS);
    block_queue_close(&queue);
}

/* The variants and places of a block continue where those of the block before it ended. */
TEST_CASE(blocks_have_variants_of_their_own)
{
    struct engine_place places[2 * CALLS];
    struct engine_call placed = {.variants = 1, .places = places};
    struct block_queue queue;

    for (uint32_t i = 0; i < 2 * CALLS; i++)
        places[i] = (struct engine_place){.object = i};
    open_queue(&queue);
    assert_int_equal(block_queue_append(&queue, &placed, CALLS), 0);
    placed.first = CALLS;
    assert_int_equal(block_queue_append(&queue, &placed, CALLS), 0);
    assert_all((block_queue_step(queue.oldest, 3).variant, 3), (queue.oldest->places[3].object, 3),
               (block_queue_step(queue.latest, 3).variant, CALLS + 3),
               (queue.latest->places[3].object, CALLS + 3));
    block_queue_close(&queue);
}

TEST_CASE(workers_finish_blocks)
{
    struct block_queue queue;

    open_queue(&queue);
    append(&queue);
    for (size_t i = 1; i < CALLS + WORKERS; i++)
        block_queue_finish_one(&queue, queue.oldest);
    assert_false(block_queue_await(&queue, 1));
    block_queue_finish_one(&queue, queue.oldest);
    assert_true(block_queue_await(&queue, 1));
    block_queue_close(&queue);
}

TEST_CASE(segments_begin_anew)
{
    struct block_queue queue;
    struct block second;

    open_queue(&queue);
    append(&queue);
    collect(&queue, 0);
    append(&queue);
    queue.begins_with = queue.oldest->first;
    queue.previous_end = 5;
    queue.begins = 12;
    second = collect(&queue, 0);
    assert_all((second.recorded, CALLS), (second.steady_calls, CALLS - 1),
               (second.paused_ticks, 7));
    block_queue_close(&queue);
}
