/* Replies that are delayed (--delay), as if the server had waited for a disk, while it continues to
 * serve others. Each thread has its own. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "serve/transport/budget.h"

struct stream;

/* The most bytes that are delayed for one connection; beyond that, nothing is read from it until
 * some have been sent. */
enum { DELAYED_BYTES_MAXIMUM = 64 << 20 };

struct delayed_reply {
    struct delayed_reply *next;
    uint64_t due_ns;              /* by monotonic_ns() */
    struct stream *stream;        /* to send it to; NULL: a datagram, */
    int fd;                       /* from this socket, */
    struct sockaddr_storage peer; /* to this peer, */
    uint8_t control[64];          /* with these control data */
    size_t control_length;
    size_t length;
    uint8_t bytes[];
};

/* Zeroed, except for the budget, it is empty. */
struct delayed {
    struct delayed_reply *first, *last; /* in the order in which they are due */
    struct budget *budget;              /* in which they are counted */
};

/* Delay a copy of BYTES, or of MESSAGE (of one buffer), for DELAY_NS. 0 or -ENOMEM; for a datagram,
 * -ENOMEM is also returned when the budget is spent. */
int delayed_add_stream(struct delayed *delayed, uint64_t delay_ns, struct stream *stream,
                       const uint8_t *bytes, size_t length);
int delayed_add_datagram(struct delayed *delayed, uint64_t delay_ns, int fd,
                         const struct msghdr *message);

/* When the first is due; 0: there is none. */
uint64_t delayed_first_due(const struct delayed *delayed);

/* The first, if it is due at NOW_NS, else NULL; free() it. */
struct delayed_reply *delayed_take(struct delayed *delayed, uint64_t now_ns);

/* STREAM no longer exists. */
void delayed_forget(struct delayed *delayed, const struct stream *stream);

void delayed_free(struct delayed *delayed);
