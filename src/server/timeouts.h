/* Waiting and timeouts: connections wait for the memory that all of them share, and the server
 * waits for peers that owe it the rest of a request, or do not read their replies. For one thread,
 * which reports each turn of a connection. While the memory is spent, each thread reads from one
 * connection only, the favoured one: the one that has waited longest, until one of its requests is
 * answered and the reply is read. There is no deadlock. Memory is held by connections that owe
 * something, which must stop owing within LIMIT_NS, whatever they do in the meantime; by delayed
 * replies, which are sent when they are due; and by connections that wait, the first of which is
 * favoured. The favoured connection may use memory for the rest of its request, whatever the others
 * hold; then it either is answered or owes something. So within LIMIT_NS, either memory is freed or
 * the next connection is favoured, and no thread waits for another.
 *
 * A handshake of TLS holds much memory for a peer that has shown nothing yet, so it has LIMIT_NS as
 * a whole, and there are at most SHAKING_MAXIMUM of them: further ones take the place of the
 * oldest. Each thread has its own share, so that no peer can keep those of one thread from
 * beginning by what it does on another. */
#pragma once

#include "server/stream.h"

struct stream_queue {
    struct stream *first, *last;
    size_t count;
};

/* Zeroed, except for the limit, nobody waits. */
struct timeouts {
    uint64_t limit_ns; /* how long a peer may owe something without progress; while memory is spent,
                          even with progress */
    struct stream_queue waiting; /* for memory; first come, first served */
    struct stream_queue owing;   /* in the order in which they began to owe */
    struct stream_queue shaking; /* handshakes, in the order in which they began */
    size_t shaking_maximum;
    struct stream *favoured; /* or NULL */
};

/* CLOCK_MONOTONIC_COARSE, in ns. */
uint64_t timeouts_now(void);

/* See timeouts_note(). */
void timeouts_note_waiting(struct timeouts *timeouts, struct stream *stream, struct budget *budget);

/* STREAM has had a turn: put it into the queue in which it belongs now. */
static inline void timeouts_note(struct timeouts *timeouts, struct stream *stream,
                                 struct budget *budget)
{
    if (stream->queue || stream->waits_for_memory || stream->favoured || stream_holds(stream) ||
        stream_shakes_hands(stream))
        timeouts_note_waiting(timeouts, stream, budget);
}

/* STREAM is going to be freed. */
void timeouts_forget(struct timeouts *timeouts, struct stream *stream);

/* A connection that need not wait for memory any more, for stream_resume(), or NULL. */
struct stream *timeouts_next(struct timeouts *timeouts, struct budget *budget);

/* A connection to be closed: it has owed something for too long at NOW_NS, or its handshake has to
 * give way to others; or NULL. */
struct stream *timeouts_overdue(const struct timeouts *timeouts, uint64_t now_ns);

/* The number of milliseconds until something has to be done here; -1: nothing until another turn.
 */
int timeouts_idle_ms(const struct timeouts *timeouts);
