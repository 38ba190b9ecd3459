/* A TCP connection of the server, which never blocks. It is served in turns: one turn is one call
 * of a function below, after which other connections have their turns. An idle connection has no
 * buffer. The connection keeps a request that has not arrived completely. If the client does not
 * read its replies, the connection keeps the replies of at most one turn, besides delayed replies,
 * and is not read from until the client reads them. While the memory budget is spent
 * (serve/transport/budget.h), requests are read one by one. Requests that are long, or may have
 * long replies, wait until memory is freed, or their connection is favoured (timeouts.h). */
#pragma once

#include "rpc/record.h"
#include "serve/rpc/dispatch.h"
#include "serve/transport/buffer.h"
#include "serve/transport/sockets.h"

enum {
    /* Maximum size of a record, bytes; a longer record ends the connection. The value leaves room
     * for a WRITE of more than wtmax, of which only the first wtmax bytes are written. */
    STREAM_REQUEST_MAXIMUM = 4 * CALL_DATA_MAXIMUM_STREAM + 4096,
    STREAM_INPUT_SIZE = 256 * 1024, /* bytes in the shared input buffer */
    /* bytes of the longest incomplete request that is copied to the shared input buffer */
    STREAM_JOINED_MAXIMUM = 32 * 1024,
    STREAM_TLS_MEMORY = 64 * 1024, /* approximate memory of OpenSSL for a connection */
    STREAM_LITTLE = 4096, /* bytes that a connection may hold even if the budget is spent */
    /* minimum growth of a request's buffer in bytes; less if the request lacks fewer bytes */
    STREAM_STEP_MINIMUM = 4096,
    STREAM_OUTPUT_SIZE = DISPATCH_REPLY_MAXIMUM + 256 * 1024,

    STREAM_BATCH_MAXIMUM = 256,  /* maximum of calls during one lock of the tree */
    STREAM_TURN_CALLS = 2048,    /* calls after which a turn ends */
    STREAM_TURN_BYTES = 4 << 20, /* bytes of replies after which a turn ends */
};

/* Buffers that all connections of a thread share; each connection uses them during its turn. */
struct stream_scratch {
    uint8_t input[STREAM_INPUT_SIZE];
    uint8_t output[STREAM_OUTPUT_SIZE];
    struct iovec segments[GATHER_SEGMENTS_MAXIMUM];
};

enum stream_tls {
    STREAM_PLAIN,
    STREAM_TLS_BEGINS, /* the handshake is not complete */
    /* the handshake failed; input is discarded so that the client can read the reason */
    STREAM_TLS_REFUSED,
    STREAM_TLS,
};

struct stream {
    struct watched watched;
    enum stream_tls state;
    struct rpc_tls *tls; /* TLS session; NULL if the state is STREAM_PLAIN */
    uint64_t calls;      /* number of messages that were dispatched so far */
    struct sockaddr_storage peer;
    struct buffer unread;     /* received bytes of requests that were not answered yet */
    struct rpc_record record; /* the latest request, complete or not */
    struct buffer unsent;     /* replies that the socket did not accept */
    size_t unsent_at;         /* position in UNSENT of the next byte to send */
    size_t kept_back;         /* bytes of delayed replies, including the overhead of each reply */
    bool has_more;            /* the turn ended before all requests that were read were answered */
    bool waits_for_memory;
    bool may_hold; /* the connection may use memory for one request although the budget is spent */
    /* queue from which the connection was favoured (timeouts.h); NULL: it is not favoured */
    struct stream_queue *favoured;
    struct stream *next, *previous; /* neighbours in the thread's list of connections */

    struct stream_queue *queue;     /* queue of timeouts.h that the connection is in, or NULL */
    struct stream *behind, *before; /* neighbours in QUEUE */
    uint64_t since;                 /* start of the wait in QUEUE, ns on CLOCK_MONOTONIC_COARSE */
    habit_free_at worker;           /* HABIT_IN_ORDER: each call reserves WORKER for its delay */
};

/* Continue STREAM's TLS handshake, or answer what has arrived at its readable socket. Returns 0, or
 * a negative number if the connection must be closed, like the next three functions. */
int stream_readable(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* Send unsent replies of STREAM. Once all are sent, answer requests that were received before. */
int stream_writable(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* Send a delayed reply, the LENGTH bytes at BYTES; keep those that the socket does not accept. */
int stream_send_delayed(struct stream *stream, struct service *service, const uint8_t *bytes,
                        size_t length);

/* Continue with STREAM, which need not wait for memory any more. */
int stream_resume(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* Does STREAM wait until it can write, delayed replies are sent, memory is free, or its next turn
 * comes? If so, nothing is read from it. */
bool stream_is_blocked(const struct stream *stream);

/* Return the epoll events to wait for; 0: STREAM waits for memory or for delayed replies. */
uint32_t stream_events(const struct stream *stream);

/* Was at least one message dispatched so far, and has the peer acknowledged all bytes given to the
 * socket? */
bool stream_has_read_all(const struct stream *stream);

static inline bool stream_has_unsent(const struct stream *stream)
{
    return stream->unsent.length > stream->unsent_at;
}

/* Does STREAM keep received bytes of requests, or unsent replies? Delayed replies do not count. */
static inline bool stream_holds(const struct stream *stream)
{
    return stream->unread.length > 0 || stream->unsent.length > 0;
}

/* Is a TLS handshake incomplete or refused? */
static inline bool stream_in_handshake(const struct stream *stream)
{
    return stream->state == STREAM_TLS_BEGINS || stream->state == STREAM_TLS_REFUSED;
}

/* Does the peer owe something: the rest of a request or of a handshake, or reading its replies?
 * Also true if HAS_MORE is set, unless delayed replies must be sent first. */
bool stream_owes(const struct stream *stream);

/* Make stream_close() reset the connection and discard the data that the socket has not sent yet.
 * Otherwise the kernel would keep the data until the peer reads them. */
void stream_close_by_reset(const struct stream *stream);

void stream_close(struct stream *stream, struct service *service);
