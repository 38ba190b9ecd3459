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
    stream->queue = NULL;
    stream->before = stream->behind = NULL;
}

static void enter(struct stream_queue *queue, struct stream *stream)
{
    stream->before = queue->last;
    *(queue->last ? &queue->last->behind : &queue->first) = stream;
    queue->last = stream;
    stream->queue = queue;
}

static void stop_favouring(struct patience *patience, struct stream *stream)
{
    if (patience->favoured == stream)
        patience->favoured = NULL;
    stream->favoured = false;
}

/* When memory is short, a byte now and then does not count as progress, because a peer could hold
 * memory for ever by sending single bytes. */
static bool keeps_its_time(const struct patience *patience, const struct stream *stream,
                           struct budget *budget)
{
    return stream->queue == &patience->owing && (stream->favoured || budget_is_spent(budget));
}

static void note_owing(struct patience *patience, struct stream *stream, struct budget *budget)
{
    if (keeps_its_time(patience, stream, budget))
        return;
    leave(stream);
    enter(&patience->owing, stream);
    stream->since = patience_now();
}

void patience_note_waiting(struct patience *patience, struct stream *stream, struct budget *budget)
{
    if (stream->favoured && !stream_holds(stream) && stream->kept_back == 0)
        stop_favouring(patience, stream);
    if (stream_owes(stream)) {
        note_owing(patience, stream, budget);
    } else if (!stream->waits_for_memory) {
        leave(stream);
    } else if (stream->queue != &patience->waiting) {
        leave(stream);
        enter(&patience->waiting, stream);
    }
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

struct stream *patience_overdue(const struct patience *patience, uint64_t now_ns)
{
    struct stream *stream = patience->owing.first;

    return stream && now_ns >= stream->since + patience->limit_ns ? stream : NULL;
}

int patience_idle_ms(const struct patience *patience)
{
    uint64_t end, now, left_ms;

    if (patience->waiting.first)
        return LOOK_MS;
    if (!patience->owing.first)
        return -1;
    end = patience->owing.first->since + patience->limit_ns;
    now = patience_now();
    left_ms = end > now ? (end - now) / NS_PER_MS : 0;
    return left_ms < 1000 ? (int)left_ms + 1 : 1000;
}
