#include "engine/block_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/system_clock.h"

enum {
    /* Submit blocks 1/4 s ahead, so that the collecting thread has time to be scheduled. */
    LOOKAHEAD_PER_SECOND = 4,
    SAMPLE_ARRAYS = 5, /* number of arrays of uint64_t in struct engine_samples */
};

int block_queue_open(struct block_queue *queue, unsigned workers, double rate,
                     const struct clock *clock)
{
    memset(queue, 0, sizeof *queue);
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue->workers = workers;
    queue->clock = clock;
    queue->ticks_between = 1e9 / rate / clock->ns_per_tick;
    queue->lookahead = (size_t)(rate / LOOKAHEAD_PER_SECOND) + workers;
    queue->last_of = calloc(workers, sizeof *queue->last_of);
    queue->sent = calloc(workers, sizeof *queue->sent);
    return queue->last_of && queue->sent ? 0 : -ENOMEM;
}

static void free_block(struct block_queue *queue, struct queued_block *block)
{
    for (unsigned i = 0; block->parts && i < queue->workers; i++) {
        free(block->parts[i].samples.response);
        free(block->parts[i].samples.of);
    }
    free(block->parts);
    free(block->places);
    free(block);
}

void block_queue_close(struct block_queue *queue)
{
    while (queue->oldest) {
        struct queued_block *next = atomic_load(&queue->oldest->next);

        free_block(queue, queue->oldest);
        queue->oldest = next;
    }
    while (queue->to_reuse) {
        struct queued_block *next = queue->to_reuse->next_to_reuse;

        free_block(queue, queue->to_reuse);
        queue->to_reuse = next;
    }
    free(queue->last_of);
    free(queue->sent);
    pthread_mutex_destroy(&queue->mutex);
    pthread_cond_destroy(&queue->changed);
}

/* Reserve memory for COUNT samples, and touch its pages, so that no page fault delays a call.
 * Returns 0 or -ENOMEM. */
static int reserve_samples(struct engine_samples *samples, size_t count)
{
    const size_t bytes = count * sizeof(uint64_t) * SAMPLE_ARRAYS;
    uint64_t *room;

    samples->count = 0;
    if (samples->capacity >= count)
        return 0;
    free(samples->response);
    free(samples->of);
    room = malloc(bytes);
    samples->response = room;
    samples->of = malloc(count * sizeof *samples->of);
    samples->capacity = room && samples->of ? count : 0;
    if (samples->capacity == 0)
        return -ENOMEM;
    memset(room, 0, bytes);
    memset(samples->of, 0, count * sizeof *samples->of);
    samples->service = room + count;
    samples->held = room + 2 * count;
    samples->done = room + 3 * count;
    samples->area = room + 4 * count;
    return 0;
}

static struct queued_block *take_block(struct block_queue *queue)
{
    struct queued_block *block = queue->to_reuse;

    if (block) {
        queue->to_reuse = block->next_to_reuse;
        return block;
    }
    block = calloc(1, sizeof *block);
    if (block)
        block->parts = calloc(queue->workers, sizeof *block->parts);
    if (block && !block->parts) {
        free(block);
        block = NULL;
    }
    return block;
}

/* Copy the places of CALL's next COUNT calls to BLOCK. Returns 0 or -ENOMEM. */
static int copy_places(struct queued_block *block, const struct engine_call *call, size_t count)
{
    block->is_placed = call->places;
    if (call->places && block->places_capacity < count) {
        free(block->places);
        block->places = calloc(count, sizeof *block->places);
        block->places_capacity = block->places ? count : 0;
        if (!block->places)
            return -ENOMEM;
    }
    if (call->places)
        memcpy(block->places, call->places + call->first, count * sizeof *block->places);
    return 0;
}

int block_queue_append(struct block_queue *queue, const struct engine_call *call, size_t count)
{
    struct queued_block *block = take_block(queue);
    int code = block ? copy_places(block, call, count) : -ENOMEM;

    for (unsigned i = 0; i < queue->workers && code == 0; i++) {
        struct queued_part *part = &block->parts[i];

        code = reserve_samples(&part->samples, count / queue->workers + 1);
        part->tally = (struct engine_tally){0};
        part->began = part->cpu_ns = 0;
    }
    if (code) {
        if (block)
            free_block(queue, block);
        return code;
    }
    block->call = call;
    block->variant = call->first;
    block->count = count;
    block->first = queue->next_number;
    queue->next_number += count;
    atomic_store(&block->next, NULL);
    atomic_store(&block->unfinished, count + queue->workers);
    if (queue->latest)
        atomic_store(&queue->latest->next, block);
    else
        queue->oldest = block;
    queue->latest = block;
    return 0;
}

/* Count LOOKAHEAD from the latest call that was sent, or is due although not sent yet. */
bool block_queue_wants_block(const struct block_queue *queue)
{
    const double since = (double)(queue->clock->start() - queue->begins) / queue->ticks_between;
    uint64_t sent = queue->begins_with + (uint64_t)since;

    for (unsigned i = 0; i < queue->workers; i++) {
        const uint64_t number = atomic_load_explicit(&queue->sent[i], memory_order_relaxed);

        sent = number > sent ? number : sent;
    }
    return queue->next_number < sent + queue->lookahead;
}

void block_queue_ask_for_more(struct block_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->is_asked = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

void block_queue_finish_one(struct block_queue *queue, struct queued_block *block)
{
    if (atomic_fetch_sub(&block->unfinished, 1) == 1)
        block_queue_ask_for_more(queue);
}

bool block_queue_await(struct block_queue *queue, uint64_t wait_ns)
{
    struct queued_block *block = queue->oldest;
    const struct timespec until = monotonic_after(wait_ns);
    bool finished;

    pthread_mutex_lock(&queue->mutex);
    while (!(finished = atomic_load(&block->unfinished) == 0) && !queue->is_asked &&
           pthread_cond_clockwait(&queue->changed, &queue->mutex, CLOCK_MONOTONIC, &until) == 0)
        ;
    queue->is_asked = false;
    pthread_mutex_unlock(&queue->mutex);
    return finished;
}

/* Collecting */

void block_queue_drop(struct block_queue *queue)
{
    struct queued_block *block = queue->oldest;

    queue->oldest = atomic_load(&block->next);
    if (!queue->oldest)
        queue->latest = NULL;
    block->next_to_reuse = queue->to_reuse;
    queue->to_reuse = block;
}

static uint64_t begin_of(const struct block_queue *queue, const struct queued_block *from)
{
    uint64_t began = 0;

    for (unsigned i = 0; i < queue->workers; i++) {
        const uint64_t other = from->parts[i].began;

        if (other && (began == 0 || other < began))
            began = other;
    }
    return began;
}

static void copy_sample(const struct engine_samples *samples, size_t i, struct block *block,
                        struct engine_tally *tally)
{
    const struct sample_of *of = &samples->of[i];
    const size_t at = block->recorded++;

    block->ticks[at] = samples->response[i];
    if (tally->detail) {
        tally->detail->done[at] = samples->done[i];
        tally->detail->number[at] = of->number;
        tally->detail->service[at] = samples->service[i];
        tally->detail->held[at] = samples->held[i];
    }
    if (tally->clients) {
        tally->clients[of->client].calls++;
        tally->clients[of->client].ticks += samples->service[i];
    }
}

/* Send times of a block's answered calls, from which rates are computed. */
struct sending {
    struct block_mark first, last; /* answered calls with the least and the greatest number */
    /* Sums over the workers. A worker's time begins when it sent its last answered call of earlier
     * blocks. Without such a call, or if early calls are left out, the time begins with its first
     * call that is not early. The time ends when it sent its latest call of this block. TICKS:
     * length of the times. AREA: time integral of the calls in flight, in calls times ticks;
     * negative if connections sent calls in another order than they were added. */
    int64_t area, ticks;
};

/* Forget the calls that rates are computed from, because a pause followed them. */
static void forget_marks(struct block_queue *queue)
{
    queue->last.sent = 0;
    memset(queue->last_of, 0, queue->workers * sizeof *queue->last_of);
}

static void note_sending(struct sending *sending, uint64_t number, uint64_t sent)
{
    const struct block_mark mark = {number, sent};

    if (sending->first.sent == 0 || number < sending->first.number)
        sending->first = mark;
    if (sending->last.sent == 0 || number > sending->last.number)
        sending->last = mark;
}

/* Return whether call NUMBER of BLOCK leaves a sample even if due too early. This is true of the
 * last call of each procedure, because a rare procedure may have only early calls. */
static bool is_kept(const struct queued_block *block, size_t number)
{
    return block->call->steps && block->call->steps[number].is_last;
}

/* Copy the samples of worker INDEX, and add the worker's send times to SENDING. A sample is left
 * out and counted in BLOCK's left_out if its call was due before DUE, unless the call is in the
 * block's last tenth, is the call before that, or is_kept() is true. */
static void copy_worker_samples(struct block_queue *queue, const struct queued_block *from,
                                unsigned index, uint64_t due, struct block *block,
                                struct engine_tally *tally, struct sending *sending)
{
    const struct engine_samples *samples = &from->parts[index].samples;
    const size_t most = from->count - from->count / 10 - 1;
    struct block_worker_mark *mark = &queue->last_of[index];
    struct block_worker_mark earliest = block->skip_ticks ? (struct block_worker_mark){0} : *mark;
    struct block_worker_mark latest = earliest;

    for (size_t i = 0; i < samples->count; i++) {
        const uint64_t sent = samples->done[i] - samples->service[i];
        const uint32_t number = samples->of[i].number;
        const bool early = samples->done[i] - samples->response[i] < due && number < most;

        note_sending(sending, from->first + number, sent);
        if (early && !is_kept(from, number))
            block->left_out++;
        else
            copy_sample(samples, i, block, tally);
        if (early)
            continue;
        if (earliest.sent == 0 || sent < earliest.sent)
            earliest = (struct block_worker_mark){sent, samples->area[i]};
        if (sent > latest.sent)
            latest = (struct block_worker_mark){sent, samples->area[i]};
    }
    sending->area += (int64_t)(latest.area - earliest.area);
    sending->ticks += (int64_t)(latest.sent - earliest.sent);
    *mark = latest;
}

/* Set BLOCK's rate (calls and ticks) and mean number of calls in flight. The rate counts from the
 * send time of the last answered call of earlier blocks or, in a segment's first block, of the
 * first answered call. */
static void note_rate(struct block_queue *queue, const struct sending *sending, struct block *block)
{
    const struct block_mark from = queue->last.sent ? queue->last : sending->first;

    if (sending->last.sent >= from.sent) {
        block->steady_calls = sending->last.number - from.number;
        block->steady_ticks = sending->last.sent - from.sent;
    }
    if (sending->ticks > 0 && sending->area >= 0) {
        block->in_flight_ticks = (uint64_t)sending->ticks / queue->workers;
        block->in_flight = (double)sending->area / (double)sending->ticks * queue->workers;
    }
    if (sending->last.sent)
        queue->last = sending->last;
}

void block_queue_collect(struct block_queue *queue, struct block *block, struct engine_tally *tally)
{
    struct queued_block *from = queue->oldest;
    struct sending sending = {.area = 0};
    uint64_t due;

    block->began_ticks = begin_of(queue, from);
    due = block->began_ticks + block->skip_ticks;
    if (from->first == queue->begins_with) {
        forget_marks(queue);
        block->paused_ticks = queue->previous_end ? queue->begins - queue->previous_end : 0;
    }
    for (unsigned i = 0; i < queue->workers; i++) {
        engine_tally_add(tally, &from->parts[i].tally);
        block->cpu_ns += from->parts[i].cpu_ns;
        block->unanswered += from->parts[i].tally.unanswered + from->parts[i].tally.unsent;
        copy_worker_samples(queue, from, i, due, block, tally, &sending);
    }
    note_rate(queue, &sending, block);
    tally->steady_calls += block->steady_calls;
    tally->steady_ticks += block->steady_ticks;
    block_queue_drop(queue);
}
