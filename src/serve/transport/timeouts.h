/* Waiting and timeouts of one thread's connections. Connections wait for the shared memory budget;
 * the server waits for peers that owe something: the rest of a request or of a handshake, or
 * reading their replies. The functions are called by the connections' thread, which reports each
 * turn.
 *
 * While the budget is spent, short requests with short replies are answered as usual. Other
 * requests wait. Each thread favours the connections that have waited longest: PLACES whose peers
 * have read all replies, and one of the others. So a peer that does not read delays only peers that
 * do not read either. A favoured connection may use memory beyond the budget, until one request is
 * answered and the reply is sent.
 *
 * There is no deadlock. Memory is held by connections that owe something, for at most LIMIT_NS; by
 * delayed replies, until they are due; and by waiting connections, the first of which is favoured.
 * A favoured connection is answered, or owes something. So within LIMIT_NS either memory is freed
 * or the next connection is favoured.
 *
 * A TLS handshake holds much memory for an unknown peer, so it must end within LIMIT_NS. A thread
 * has at most SHAKING_MAXIMUM handshakes; a further one makes the thread close the oldest. The
 * maximum is per thread, so that a peer cannot prevent handshakes on other threads. */
#pragma once

#include "serve/transport/stream.h"

struct stream_queue {
    struct stream *first, *last;
    size_t count;
    /* FAVOURED: number of connections favoured from this queue; PLACES: its maximum (0 means 1) */
    size_t favoured, places;
};

/* Timeouts of a thread. If all members except the limits are zeroed, no connection waits. */
struct timeouts {
    /* How long a peer may owe something. Progress restarts this time, except in a handshake, on a
     * favoured connection, and while the budget is spent. */
    uint64_t limit_ns;
    /* connections that wait for memory, and whose peers have read all replies */
    struct stream_queue readers;
    /* connections that wait for memory, and whose peers have unread replies, or got none yet */
    struct stream_queue others;
    /* time of the last search of OTHERS for peers that have read all replies, in ns */
    uint64_t looked;
    /* connections whose peers owe something other than a handshake, in the order of SINCE */
    struct stream_queue owing;
    struct stream_queue shaking; /* handshakes, in the order in which they began */
    size_t shaking_maximum;
};

void timeouts_note_waiting(struct timeouts *timeouts, struct stream *stream, struct budget *budget);

/* After a turn of STREAM, put STREAM into the queue that fits its present wait, or into none. Stop
 * favouring STREAM if its reply was sent. */
static inline void timeouts_note(struct timeouts *timeouts, struct stream *stream,
                                 struct budget *budget)
{
    stream->may_hold = stream->may_hold && stream->favoured;
    if (stream->queue || stream->waits_for_memory || stream->favoured || stream_holds(stream) ||
        stream_in_handshake(stream))
        timeouts_note_waiting(timeouts, stream, budget);
}

/* Remove STREAM, which is going to be freed, from its queue, and stop favouring STREAM. */
void timeouts_forget(struct stream *stream);

static inline bool timeouts_any_waits(const struct timeouts *timeouts)
{
    return timeouts->readers.first || timeouts->others.first;
}

/* Remove and return a connection to be resumed by stream_resume(). The connection may then hold
 * memory. Returns NULL if none waits, or if the budget is spent and no more may be favoured. */
struct stream *timeouts_next(struct timeouts *timeouts, struct budget *budget);

/* Return a connection to be closed, because its peer has owed something for too long at NOW_NS, or
 * because it has the oldest of too many handshakes; NULL if there is none. */
struct stream *timeouts_overdue(const struct timeouts *timeouts, uint64_t now_ns);

/* Return the number of milliseconds, at most 1000, until timeouts_next() or timeouts_overdue() must
 * be called; -1 if no connection waits or has a time limit. */
int timeouts_idle_ms(const struct timeouts *timeouts, struct budget *budget);
