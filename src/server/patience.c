#include "server/patience.h"

#include "common/system_clock.h"

enum {
    NS_PER_MS = 1000000,
    LOOK_MS = 1
}; /* interval of checks whether another thread has freed memory */

uint64_t patience_now(void)
{
    return system_clock_ns(CLOCK_MONOTONIC_COARSE);
}

static void leave(struct stream *stream)
{
    struct stream_queue *queue = stream->queue;

    if (!queue)
        return;
    *(stream->before ? &stream->before->behind : &queue->first) = stream->behind;
    *(stream->behind ? &stream->behind->before : &queue->last) = stream->before;
    queue->count--;
    stream->queue = NULL;
    stream->before = stream->behind = NULL;
}

static void enter(struct stream_queue *queue, struct stream *stream)
{
    stream->before = queue->last;
    *(queue->last ? &queue->last->behind : &queue->first) = stream;
    queue->last = stream;
    queue->count++;
    stream->queue = queue;
}

static void stop_favouring(struct patience *patience, struct stream *stream)
{
    if (patience->favoured == stream)
        patience->favoured = NULL;
    stream->favoured = false;
}

/* Where STREAM belongs; NULL: in no queue. */
static struct stream_queue *queue_for(struct patience *patience, const struct stream *stream)
{
    if (stream_shakes_hands(stream))
        return &patience->shaking;
    if (stream_owes(stream))
        return &patience->owing;
    return stream->waits_for_memory ? &patience->waiting : NULL;
}

/* When memory is short, a byte now and then does not count as progress, because a peer could hold
 * memory for ever by sending single bytes. */
static bool begins_again(const struct patience *patience, const struct stream *stream,
                         struct budget *budget)
{
    return stream->queue == &patience->owing && !stream->favoured && !budget_is_spent(budget);
}

void patience_note_waiting(struct patience *patience, struct stream *stream, struct budget *budget)
{
    struct stream_queue *queue;

    if (stream->favoured && !stream_holds(stream) && stream->kept_back == 0)
        stop_favouring(patience, stream);
    queue = queue_for(patience, stream);
    if (queue == stream->queue && !begins_again(patience, stream, budget))
        return;
    leave(stream);
    if (!queue)
        return;
    enter(queue, stream);
    stream->since = patience_now();
}

void patience_forget(struct patience *patience, struct stream *stream)
{
    leave(stream);
    stop_favouring(patience, stream);
}

struct stream *patience_next(struct patience *patience, struct budget *budget)
{
    struct stream *stream = patience->waiting.first;

    if (!stream)
        return NULL;
    if (budget_is_spent(budget)) {
        if (patience->favoured)
            return NULL;
        patience->favoured = stream;
        stream->favoured = true;
    }
    leave(stream);
    return stream;
}

/* The connection whose time ends first, or NULL. */
static struct stream *first_due(const struct patience *patience)
{
    struct stream *owing = patience->owing.first, *shaking = patience->shaking.first;

    return !owing || (shaking && shaking->since < owing->since) ? shaking : owing;
}

struct stream *patience_overdue(const struct patience *patience, uint64_t now_ns)
{
    struct stream *stream = first_due(patience);

    if (patience->shaking.count > patience->shaking_maximum)
        return patience->shaking.first;
    return stream && now_ns >= stream->since + patience->limit_ns ? stream : NULL;
}

int patience_idle_ms(const struct patience *patience)
{
    const struct stream *stream = first_due(patience);
    uint64_t end, now, left_ms;

    if (patience->waiting.first)
        return LOOK_MS;
    if (!stream)
        return -1;
    end = stream->since + patience->limit_ns;
    now = patience_now();
    left_ms = end > now ? (end - now) / NS_PER_MS : 0;
    return left_ms < 1000 ? (int)left_ms + 1 : 1000;
}
