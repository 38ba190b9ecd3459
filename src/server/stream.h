/* A TCP connection of the server: requests in, replies out, never blocking. An idle connection has
 * no buffer; one that sends a request in parts has what came of it, and one that does not take its
 * replies has those of a turn at most, and is not read from until it does. Where all connections
 * together hold what they may (server/budget.h), none is read from but those that are favoured. */
#ifndef NFSBENCH_SERVER_STREAM_H
#define NFSBENCH_SERVER_STREAM_H

#include "server/buffer.h"
#include "server/dispatch.h"
#include "server/watched.h"

enum {
    /* Bytes in a record; a longer one ends the connection. A WRITE of more than wtmax is answered
     * short up to there. */
    STREAM_REQUEST_MAXIMUM = 2 * CALL_DATA_MAXIMUM_STREAM + 4096,
    STREAM_INPUT_SIZE = 256 * 1024,    /* read at once at most */
    STREAM_JOINED_MAXIMUM = 32 * 1024, /* a request that has begun with no more is copied there */
    STREAM_STEP_MINIMUM = 4096,        /* that a buffer grows by, while its request comes */
    STREAM_OUTPUT_SIZE = DISPATCH_REPLY_MAXIMUM + 256 * 1024,

    /* Of calls that are answered at once, with the tree locked; and in one turn, of calls and of
     * bytes of replies, after which it is others' turn. */
    STREAM_BATCH_MAXIMUM = 256,
    STREAM_TURN_CALLS = 2048,
    STREAM_TURN_BYTES = 4 << 20,
};

/* Buffers that all connections use, for the time of one turn. */
struct stream_scratch {
    uint8_t input[STREAM_INPUT_SIZE];
    uint8_t output[STREAM_OUTPUT_SIZE];
    struct iovec segments[GATHER_SEGMENTS_MAXIMUM];
};

struct stream {
    struct watched watched;
    uint64_t calls; /* received over it */
    struct sockaddr_storage peer;
    struct buffer unread; /* the start of a request whose end is yet to come */
    struct buffer unsent; /* replies that the socket did not take */
    size_t unsent_at;     /* position in UNSENT that is sent next */
    size_t kept_back;     /* bytes of replies that are delayed, with the overhead of each */
    bool has_more;        /* its turn ended before all that it had read was answered */
    bool waits_for_memory;
    bool favoured; /* it need not wait for memory, but is read no further than one request */
    struct stream *next, *previous; /* of the server's connections */

    struct stream_queue *queue; /* of server/patience.h, where it is in one */
    struct stream *behind, *before;
    uint64_t since; /* in the queue of those that owe: CLOCK_MONOTONIC_COARSE, in ns */
};

/* The socket can be read: answer what came. 0, or -1 when the connection is over. */
int stream_readable(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* The socket can be written: send what was left, and continue to answer. 0, or -1 when the
 * connection is over. */
int stream_writable(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* Send a reply that was kept back. 0, or -1 when the connection is over. */
int stream_send_delayed(struct stream *stream, struct service *service, const uint8_t *bytes,
                        size_t length);

/* Its wait for memory is over: as above. */
int stream_resume(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* Is the connection waiting to write, for replies that are kept back, for memory, or for its next
 * turn (and not to be read from until then)? */
bool stream_is_blocked(const struct stream *stream);

/* The events of epoll that it waits for: none while it waits for memory, or for the clock, when too
 * many of its replies are kept back. */
uint32_t stream_events(const struct stream *stream);

/* Does it keep anything from one turn to the next, apart from replies that are kept back? */
static inline bool stream_holds(const struct stream *stream)
{
    return stream->unread.length > 0 || stream->unsent.length > 0;
}

/* Is the peer to act: to send the rest of a request, or to take its replies? */
bool stream_owes(const struct stream *stream);

/* When it is closed, drop what its socket has not sent yet, and reset the connection: otherwise the
 * system keeps the data for as long as the peer does not read. */
void stream_close_by_reset(const struct stream *stream);

/* Close it and free it. */
void stream_close(struct stream *stream, struct service *service);

#endif
