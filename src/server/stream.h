/* A TCP connection of the server: requests in, replies out, never blocking. Memory is bounded: an
 * idle connection has no buffer; one that sends a request in parts, or does not read its replies,
 * has one of each at most, and is not read from until it does. */
#ifndef NFSBENCH_SERVER_STREAM_H
#define NFSBENCH_SERVER_STREAM_H

#include "server/dispatch.h"
#include "server/watched.h"

enum {
    STREAM_REQUEST_MAXIMUM = (1 << 20) + 4096, /* bytes in a record; a longer one ends it */
    STREAM_INPUT_SIZE = 256 * 1024,            /* read at once at most */
    STREAM_BUFFERED_MAXIMUM = 512 << 20,       /* by all connections; beyond, one is closed */
    STREAM_OUTPUT_SIZE = DISPATCH_REPLY_MAXIMUM + 256 * 1024,

    /* Of calls that are answered at once, with the tree locked; and in one turn, of calls and of
     * bytes of replies, after which it is others' turn. */
    STREAM_BATCH_MAXIMUM = 256,
    STREAM_TURN_CALLS = 2048,
    STREAM_TURN_BYTES = 4 << 20,
};

/* Room that all connections share, for what is done within one turn. */
struct stream_scratch {
    uint8_t input[STREAM_INPUT_SIZE];
    uint8_t output[STREAM_OUTPUT_SIZE];
    struct iovec segments[GATHER_SEGMENTS_MAXIMUM];
};

struct stream {
    struct watched watched;
    uint64_t calls; /* that came over it */
    struct sockaddr_storage peer;
    uint8_t *unread; /* the start of a request whose end is yet to come */
    size_t unread_length, unread_capacity;
    uint8_t *unsent; /* replies that the socket did not take */
    size_t unsent_length, unsent_capacity, unsent_at;
    bool has_more;                  /* its turn was over before all that it had read was answered */
    size_t kept_back;               /* bytes of replies that are, with what each takes beside */
    struct stream *next, *previous; /* of the server's connections */
};

/* The socket can be read: answer what came. 0, or -1 when the connection is over. */
int stream_readable(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* The socket can be written: send what was left, and answer what waited. As above. */
int stream_writable(struct stream *stream, struct service *service, struct stream_scratch *scratch);

/* Send a reply that was kept back. 0, or -1 when the connection is over. */
int stream_send_delayed(struct stream *stream, struct service *service, const uint8_t *bytes,
                        size_t length);

/* Is the connection waiting to write, for replies that are kept back, or for its next turn (and not
 * to be read from until then)? */
bool stream_is_blocked(const struct stream *stream);

/* The events of epoll that it waits for: nothing but the clock, when too many of its replies are
 * kept back. */
uint32_t stream_events(const struct stream *stream);

/* Close it and free it. */
void stream_close(struct stream *stream, struct service *service);

#endif
