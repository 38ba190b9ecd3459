/* Who waits for whom: connections for the memory that all share, and the server for peers that owe
 * it the rest of a request, or do not take their replies. Used by one thread, which reports each
 * turn.
 *
 * While the memory is spent no connection is read from but one of each thread, the favoured: who
 * has waited longest, until one request of it is answered and the reply is taken. This can't come
 * to a standstill. What is held is held by connections that owe, which have LIMIT_NS to stop owing,
 * however much they do meanwhile; by the clock, which gives replies back when they are due; and by
 * connections that wait, of which the first is favoured. The favoured has room for the rest of its
 * request, whatever the others hold, and then either it is answered or it owes. So within LIMIT_NS
 * memory comes back or the next is favoured, and no thread waits for another. */
#ifndef NFSBENCH_SERVER_PATIENCE_H
#define NFSBENCH_SERVER_PATIENCE_H

#include "server/stream.h"

struct stream_queue {
    struct stream *first, *last;
};

/* But for the limit zeroed, nobody waits. */
struct patience {
    uint64_t limit_ns;           /* that a peer may owe without doing anything; while memory is
                                    spent, whatever it does */
    struct stream_queue waiting; /* for memory; first come, first served */
    struct stream_queue owing;   /* in the order in which their time began */
    struct stream *favoured;     /* or NULL */
};

/* CLOCK_MONOTONIC_COARSE, in ns. */
uint64_t patience_now(void);

/* See patience_note(). */
void patience_note_waiting(struct patience *patience, struct stream *stream, struct budget *budget);

/* STREAM has had a turn: put it where it belongs now. */
static inline void patience_note(struct patience *patience, struct stream *stream,
                                 struct budget *budget)
{
    if (stream->queue || stream->waits_for_memory || stream->favoured || stream_holds(stream))
        patience_note_waiting(patience, stream, budget);
}

/* STREAM is no more. */
void patience_forget(struct patience *patience, struct stream *stream);

/* One that need not wait for memory any more, for stream_resume(), or NULL. */
struct stream *patience_next(struct patience *patience, struct budget *budget);

/* One that has owed for too long at NOW_NS, or NULL. */
struct stream *patience_overdue(const struct patience *patience, uint64_t now_ns);

/* For how many milliseconds nothing is to be done here; -1: for as long as nobody else has a turn.
 */
int patience_idle_ms(const struct patience *patience);

#endif
