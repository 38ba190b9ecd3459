/* A TCP connection of the server, which never blocks. An idle connection has no buffer. If a
 * request arrives in parts, the connection keeps the part that has arrived. If the client does not
 * read its replies, the connection keeps those of at most one turn, and is not read from until the
 * client does. When all connections together hold as much as they may (server/transport/budget.h),
 * requests are read one by one; those that are long, or whose replies may be, wait until their
 * connection is favoured. */
#pragma once

#include "rpc/record.h"
#include "serve/rpc/dispatch.h"
#include "serve/transport/buffer.h"
#include "serve/transport/sockets.h"

enum {
    /* Bytes in a record; a longer one ends the connection. A WRITE of more than wtmax gets a short
       reply, if it fits into this. */
    STREAM_REQUEST_MAXIMUM = 4 * CALL_DATA_MAXIMUM_STREAM + 4096,
    STREAM_INPUT_SIZE = 256 * 1024, /* the most that is read at once */
    STREAM_JOINED_MAXIMUM =
        32 * 1024, /* a longer part of a request is not copied to the shared buffer */
    STREAM_TLS_MEMORY = 64 * 1024, /* bytes that OpenSSL takes for a connection, about */
    STREAM_LITTLE = 4096,          /* bytes that a connection may hold, whatever the others do */
    STREAM_STEP_MINIMUM = 4096,    /* by which a buffer grows while its request arrives */
    STREAM_OUTPUT_SIZE = DISPATCH_REPLY_MAXIMUM + 256 * 1024,

    /* Limits: calls that are answered while the tree stays locked; and calls, and bytes of replies,
       in one turn, after which other connections have theirs. */
    STREAM_BATCH_MAXIMUM = 256,
    STREAM_TURN_CALLS = 2048,
    STREAM_TURN_BYTES = 4 << 20,
};

/* Buffers that all connections share, each during its turn. */
struct stream_scratch {
    uint8_t input[STREAM_INPUT_SIZE];
    uint8_t output[STREAM_OUTPUT_SIZE];
    struct iovec segments[GATHER_SEGMENTS_MAXIMUM];
};

enum stream_tls {
    STREAM_PLAIN,
    STREAM_TLS_BEGINS,  /* its handshake is not complete */
    STREAM_TLS_REFUSED, /* it failed: what still comes is discarded, so that the client gets to read
                         * why; a reset would overtake that */
    STREAM_TLS,
};

struct stream {
    struct watched watched;
    enum stream_tls state;
    struct rpc_tls *tls; /* NULL: STREAM_PLAIN */
    uint64_t calls;      /* received on this connection */
    struct sockaddr_storage peer;
    struct buffer unread;     /* the first part of an incomplete request */
    struct rpc_record record; /* the latest request */
    struct buffer unsent;     /* replies that the socket did not accept */
    size_t unsent_at;         /* position in UNSENT that is sent next */
    size_t kept_back;         /* bytes of replies that are delayed, with the overhead of each */
    bool has_more; /* its turn ended before all requests that it had read were answered */
    bool waits_for_memory;
    bool may_hold; /* it need not wait, for one request: */
    struct stream_queue
        *favoured; /* it has one of this queue's places until that is done, or NULL */
    struct stream *next, *previous; /* of the server's connections */

    struct stream_queue
        *queue; /* the queue of server/transport/timeouts.h in which it is; NULL: none */
    struct stream *behind, *before;
    uint64_t since;    /* when it began to owe something: CLOCK_MONOTONIC_COARSE, in ns */
    habit_turn worker; /* as habits have it */
};

/* The socket is readable: answer what has arrived. 0, or -1 at the end of the connection. */
int stream_readable(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* The socket is writable: send what was left, and continue to answer. 0, or -1 at the end of the
 * connection. */
int stream_writable(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* Send a delayed reply. 0, or -1 at the end of the connection. */
int stream_send_delayed(struct stream *stream, struct service *service, const uint8_t *bytes,
                        size_t length);

/* Its wait for memory is over: continue. Returns as above. */
int stream_resume(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* Is the connection waiting to write, for delayed replies, for memory, or for its next turn? It is
 * not read from until then. */
bool stream_is_blocked(const struct stream *stream);

/* The epoll events that it waits for: none while it waits for memory, or has too many delayed
 * replies. */
uint32_t stream_events(const struct stream *stream);

/* Has the peer sent calls before, and acknowledged every byte of their replies? */
bool stream_has_read_all(const struct stream *stream);

static inline bool stream_has_unsent(const struct stream *stream)
{
    return stream->unsent.length > stream->unsent_at;
}

/* Does it keep anything from one turn to the next, apart from delayed replies? */
static inline bool stream_holds(const struct stream *stream)
{
    return stream->unread.length > 0 || stream->unsent.length > 0;
}

/* Does a handshake of TLS go on, or is it to be seen that one has failed? */
static inline bool stream_shakes_hands(const struct stream *stream)
{
    return stream->state == STREAM_TLS_BEGINS || stream->state == STREAM_TLS_REFUSED;
}

/* Does the peer owe something: the rest of a request or of a handshake, or reading its replies? */
bool stream_owes(const struct stream *stream);

/* When it is closed, discard what the socket has not sent yet, and reset the connection; otherwise
 * the kernel keeps the data until the peer reads them. */
void stream_close_by_reset(const struct stream *stream);

/* Close it and free it. */
void stream_close(struct stream *stream, struct service *service);
