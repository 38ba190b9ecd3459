/* Waiting and timeouts: connections wait for the memory that all of them share, and the server
 * waits for peers that owe it the rest of a request, or do not read their replies. For one thread,
 * which reports each turn of a connection. While the memory is spent, short requests with short
 * replies are answered as ever. For others, each thread favours the connections that have waited
 * longest, each until one of its requests is answered and the reply is read: one connection, and
 * PLACES of those whose peers have read all replies, so that who doesn't read holds up only his
 * like. There is no deadlock. Memory is held by connections that owe
 * something, which must stop owing within LIMIT_NS, whatever they do in the meantime; by delayed
 * replies, which are sent when they are due; and by connections that wait, the first of which is
 * favoured. A favoured connection may use memory for the rest of its request, whatever the others
 * hold; then it either is answered or owes something. So within LIMIT_NS, either memory is freed or
 * the next connection is favoured, and no thread waits for another.
 *
 * A handshake of TLS holds much memory for a peer that has shown nothing yet, so it has LIMIT_NS as
 * a whole, and there are at most SHAKING_MAXIMUM of them: further ones take the place of the
 * oldest. Each thread has its own share, so that no peer can keep those of one thread from
 * beginning by what it does on another. */
#pragma once

#include "serve/transport/stream.h"

struct stream_queue {
    struct stream *first, *last;
    size_t count;
    size_t favoured, places; /* how many that waited here are favoured, and may be; 0: one */
};

/* Zeroed, except for the limit, nobody waits. */
struct timeouts {
    uint64_t limit_ns; /* how long a peer may owe something without progress; while memory is spent,
                          even with progress */
    struct stream_queue readers; /* who wait for memory, and have read all their replies; */
    struct stream_queue others;  /* and who have not; first come, first served */
    uint64_t looked;             /* when it was last looked who of these has read meanwhile */
    struct stream_queue owing;   /* in the order in which they began to owe */
    struct stream_queue shaking; /* handshakes, in the order in which they began */
    size_t shaking_maximum;
};

/* See timeouts_note(). */
void timeouts_note_waiting(struct timeouts *timeouts, struct stream *stream, struct budget *budget);

/* STREAM has had a turn: put it into the queue in which it belongs now. */
static inline void timeouts_note(struct timeouts *timeouts, struct stream *stream,
                                 struct budget *budget)
{
    stream->may_hold = stream->may_hold && stream->favoured;
    if (stream->queue || stream->waits_for_memory || stream->favoured || stream_holds(stream) ||
        stream_shakes_hands(stream))
        timeouts_note_waiting(timeouts, stream, budget);
}

/* STREAM is going to be freed. */
void timeouts_forget(struct stream *stream);

/* Does any connection wait for memory? */
static inline bool timeouts_any_waits(const struct timeouts *timeouts)
{
    return timeouts->readers.first || timeouts->others.first;
}

/* A connection that need not wait for memory any more, for stream_resume(), or NULL. */
struct stream *timeouts_next(struct timeouts *timeouts, struct budget *budget);

/* A connection to be closed: it has owed something for too long at NOW_NS, or its handshake has to
 * give way to others; or NULL. */
struct stream *timeouts_overdue(const struct timeouts *timeouts, uint64_t now_ns);

/* The number of milliseconds until something has to be done here; -1: nothing until another turn.
 */
int timeouts_idle_ms(const struct timeouts *timeouts, struct budget *budget);
