/* The state of TCP connections during chosen periods, such as blocks of calls, as this machine's
 * kernel reports it (struct tcp_info in linux/tcp.h). A reading takes two system calls for each
 * connection. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A connection at one moment. Counters begin at 0 with the connection; those of 32 bits begin again
 * after 2^32. */
struct tcp_reading {
    uint64_t cookie;           /* of the socket: no other socket has the same (SO_COOKIE) */
    uint32_t rtt_us;           /* the smoothed round trip; 0: not measured yet */
    uint32_t rtt_variation_us; /* its mean deviation */
    uint32_t rtt_least_us; /* the least round trip of the last minutes (sysctl tcp_min_rtt_wlen);
                              0: not measured yet */
    uint32_t sent, resent; /* segments with data that were sent, and those sent again */
    uint32_t received;     /* segments with data */
    double out_of_order;   /* how many of these were; NAN: not known (Linux before 5.4) */
    double duplicates;     /* segments that the peer says it received twice (DSACK, RFC 2883); NAN:
                              not known (Linux before 5.0) */
    uint64_t received_bytes;    /* without headers */
    uint64_t window_limited_us; /* the time for which the peer's receive window was full */
    uint64_t buffer_limited_us; /* the time for which the send buffer was too small */
    /* bytes: the receive window that was advertised last; NAN: not known (Linux before 6.2) */
    double window;
};

/* Fill READING, except for the cookie, from the LENGTH BYTES that the kernel wrote. False if they
 * end before what Linux reports since 4.12. */
bool tcp_reading_parse(struct tcp_reading *reading, const void *bytes, size_t length);

/* Read the state of socket FD. False if it is no TCP connection, or the kernel is too old. */
bool tcp_read(int fd, struct tcp_reading *reading);

/* Sums over periods of connections. */
struct tcp_sums {
    double ns; /* of the periods */
    double rtt_us, rtt_variation_us, rtt_readings;
    double rtt_least_us; /* 0: not measured */
    double sent, resent, received, out_of_order, duplicates;
    double window_limited_us, buffer_limited_us;
    double used_ns, window_ns; /* the used part of the window times the period; the periods in which
                                  the window was known */
};

/* Add a period of NS of a connection, which began with BEFORE and ended with AFTER. */
void tcp_sums_add(struct tcp_sums *sums, const struct tcp_reading *before,
                  const struct tcp_reading *after, uint64_t ns);

/* Shares are between 0 and 1; NAN: not known. */
struct tcp_figures {
    double rtt_ns, rtt_variation_ns; /* means over connections and the ends of periods */
    double rtt_least_ns;             /* the least of all connections */
    double retransmitted;            /* of the segments with data that were sent */
    double out_of_order;             /* of the segments with data that were received */
    double spurious;                 /* of the segments sent again: the peer had them (RFC 3708) */
    double window_limited;           /* of the time: the peer's receive window was full */
    double buffer_limited;           /* of the time: the send buffer was too small */
    /* The bytes in flight to this machine over its receive window: at about 1 the window limits the
     * rate. By Little's law these bytes are the rate times the round trip. The least round trip is
     * taken, because a rate needs no larger window if segments also wait in a queue. */
    double window_used;
};

struct tcp_figures tcp_sums_figures(const struct tcp_sums *sums);

enum { TCP_WATCHED_MAXIMUM = 8 };

/* Up to eight connections of a load, whose states are read when a block begins and when it ends. */
struct tcp_watch {
    size_t count;
    struct tcp_watched {
        int fd;
        uint64_t cookie;
        struct tcp_reading before; /* when the period began */
        double window;             /* bytes: the largest seen; 0: not known */
    } connections[TCP_WATCHED_MAXIMUM];
    struct tcp_sums sums; /* of all */
};

/* Prepare to watch the COUNT sockets FDS, TCP_WATCHED_MAXIMUM at most. A socket that is no TCP
 * connection is left out. So are periods in which a connection was lost and those that follow, even
 * if another socket has its number then. */
void tcp_watch_open(struct tcp_watch *watch, const int *fds, size_t count);

/* Begin and end a period, which took NS. */
void tcp_watch_begin(struct tcp_watch *watch);
void tcp_watch_end(struct tcp_watch *watch, uint64_t ns);
