/* Replies that are delayed (by --delay, for example), as if the server waited for a disk, while
 * other calls are served. Each thread has a list of its replies. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "serve/transport/budget.h"

struct stream;

/* If a connection has more bytes of delayed replies, nothing more is read from it. (A favoured
 * connection is not read while it has any delayed reply.) */
enum { DELAYED_BYTES_MAXIMUM = 64 << 20 };

struct delayed_reply {
    struct delayed_reply *next;
    uint64_t due_ns;              /* time to send the reply, by monotonic_ns() */
    struct stream *stream;        /* connection that the reply is for; NULL: a datagram */
    int fd;                       /* datagram: the socket to send from */
    struct sockaddr_storage peer; /* datagram: the receiver */
    uint8_t control[64];          /* datagram: control data for sendmsg() */
    size_t control_length;
    size_t length;
    uint8_t bytes[];
};

/* A thread's delayed replies. If all members except BUDGET are zeroed, there are none. */
struct delayed {
    struct delayed_reply *first, *last; /* a list in the order in which the replies are due */
    struct budget *budget;              /* counts the replies' memory */
};

/* Copy a reply, to be sent after DELAY_NS. delayed_add_stream() copies LENGTH bytes from BYTES, for
 * STREAM; delayed_add_datagram() copies MESSAGE, which has one buffer, for the socket FD. They
 * return 0 or -ENOMEM; delayed_add_datagram() returns -ENOMEM also if the budget is spent. */
int delayed_add_stream(struct delayed *delayed, uint64_t delay_ns, struct stream *stream,
                       const uint8_t *bytes, size_t length);
int delayed_add_datagram(struct delayed *delayed, uint64_t delay_ns, int fd,
                         const struct msghdr *message);

/* Return when the first reply is due, by monotonic_ns(), or 0 if there is none. */
uint64_t delayed_first_due(const struct delayed *delayed);

/* Remove and return the first reply if it is due at NOW_NS, else NULL. The caller frees it. */
struct delayed_reply *delayed_take(struct delayed *delayed, uint64_t now_ns);

/* Discard the replies of STREAM, which is going to be freed. */
void delayed_forget(struct delayed *delayed, const struct stream *stream);

void delayed_free(struct delayed *delayed);
