#include "serve/transport/timeouts.h"

#include "common/system_clock.h"

enum {
    NS_PER_MS = 1000000,
    LOOK_MS = 1 /* interval, in ms, of checks whether memory was freed */
};

static void leave_queue(struct stream *stream)
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

static void enter_queue(struct stream_queue *queue, struct stream *stream)
{
    stream->before = queue->last;
    *(queue->last ? &queue->last->behind : &queue->first) = stream;
    queue->last = stream;
    queue->count++;
    stream->queue = queue;
}

static void stop_favouring(struct stream *stream)
{
    if (stream->favoured)
        stream->favoured->favoured--;
    stream->favoured = NULL;
    stream->may_hold = false;
}

/* Was the request for which STREAM is favoured answered, and have all replies been sent? */
static bool is_done(const struct stream *stream)
{
    return stream->kept_back == 0 && !stream_has_unsent(stream) &&
           (!stream->may_hold || stream->unread.length == 0);
}

static struct stream_queue *queue_for(struct timeouts *timeouts, const struct stream *stream)
{
    if (stream_in_handshake(stream))
        return &timeouts->shaking;
    if (stream_owes(stream))
        return &timeouts->owing;
    if (!stream->waits_for_memory)
        return NULL;
    if (stream->queue == &timeouts->others)
        return stream->queue;
    return stream_has_read_all(stream) ? &timeouts->readers : &timeouts->others;
}

/* Does progress of STREAM restart its time limit? Not in a handshake, and not if STREAM is favoured
 * or the budget is spent: otherwise a peer could hold memory for ever by sending single bytes. */
static bool begins_again(const struct timeouts *timeouts, const struct stream *stream,
                         struct budget *budget)
{
    return stream->queue == &timeouts->owing && !stream->favoured && !budget_is_spent(budget);
}

void timeouts_note_waiting(struct timeouts *timeouts, struct stream *stream, struct budget *budget)
{
    struct stream_queue *queue;

    if (stream->favoured && is_done(stream))
        stop_favouring(stream);
    queue = queue_for(timeouts, stream);
    if (queue == stream->queue && !begins_again(timeouts, stream, budget))
        return;
    leave_queue(stream);
    if (!queue)
        return;
    enter_queue(queue, stream);
    stream->since = monotonic_coarse_ns();
}

void timeouts_forget(struct stream *stream)
{
    leave_queue(stream);
    stop_favouring(stream);
}

/* Move connections from OTHERS to READERS if their peers have now read all replies. */
static void look_who_read(struct timeouts *timeouts)
{
    uint64_t now = monotonic_coarse_ns();
    struct stream *stream = now == timeouts->looked ? NULL : timeouts->others.first, *behind;

    for (timeouts->looked = now; stream; stream = behind) {
        behind = stream->behind;
        if (!stream_has_read_all(stream))
            continue;
        leave_queue(stream);
        enter_queue(&timeouts->readers, stream);
    }
}

/* Remove and return QUEUE's first connection, which may then hold memory. If the budget is SPENT,
 * the connection becomes favoured. Returns NULL if QUEUE is empty, or if the budget is SPENT and
 * QUEUE has its maximum of favoured connections. */
static struct stream *next_in(struct stream_queue *queue, bool spent)
{
    struct stream *stream = queue->first;

    if (!stream || (spent && queue->favoured > 0 && queue->favoured >= queue->places))
        return NULL;
    leave_queue(stream);
    stream->may_hold = true;
    if (spent && !stream->favoured) {
        stream->favoured = queue;
        queue->favoured++;
    }
    return stream;
}

struct stream *timeouts_next(struct timeouts *timeouts, struct budget *budget)
{
    bool spent = budget_is_spent(budget);
    struct stream *reader;

    look_who_read(timeouts);
    reader = next_in(&timeouts->readers, spent);
    return reader ? reader : next_in(&timeouts->others, spent);
}

/* Return the connection whose time limit ends first, or NULL. */
static struct stream *first_due(const struct timeouts *timeouts)
{
    struct stream *owing = timeouts->owing.first, *shaking = timeouts->shaking.first;

    return !owing || (shaking && shaking->since < owing->since) ? shaking : owing;
}

struct stream *timeouts_overdue(const struct timeouts *timeouts, uint64_t now_ns)
{
    struct stream *stream = first_due(timeouts);

    if (timeouts->shaking.count > timeouts->shaking_maximum)
        return timeouts->shaking.first;
    return stream && now_ns >= stream->since + timeouts->limit_ns ? stream : NULL;
}

int timeouts_idle_ms(const struct timeouts *timeouts, struct budget *budget)
{
    const struct stream *stream = first_due(timeouts);
    uint64_t end, now, left_ms;

    if (timeouts_any_waits(timeouts))
        return budget_is_spent(budget) ? LOOK_MS : 0;
    if (!stream)
        return -1;
    end = stream->since + timeouts->limit_ns;
    now = monotonic_coarse_ns();
    left_ms = end > now ? (end - now) / NS_PER_MS : 0;
    return left_ms < 1000 ? (int)left_ms + 1 : 1000;
}
