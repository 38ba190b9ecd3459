/* The state of TCP connections during periods such as blocks of calls, as this machine's kernel
 * reports it (struct tcp_info in linux/tcp.h). A reading takes two system calls per connection. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a connection at one time. Counters begin at 0; those of 32 bits wrap around. */
struct tcp_reading {
    uint64_t cookie;           /* unique number of the socket (SO_COOKIE) */
    uint32_t rtt_us;           /* smoothed round trip time; 0: not measured yet */
    uint32_t rtt_variation_us; /* mean deviation of the round trip time */
    /* Least round trip time of the last minutes (sysctl tcp_min_rtt_wlen); 0: not measured yet. */
    uint32_t rtt_least_us;
    /* RESENT: retransmitted segments. SENT: sent segments with data, including RESENT. */
    uint32_t sent, resent;
    uint32_t received;   /* received segments with data */
    double out_of_order; /* received segments out of order; NAN: unknown (Linux before 5.4) */
    /* Segments that the peer received twice (DSACK, RFC 2883); NAN: unknown (Linux before 4.19). */
    double duplicates;
    uint64_t received_bytes;    /* bytes received, without headers */
    uint64_t window_limited_us; /* time in which the peer's receive window was full */
    uint64_t buffer_limited_us; /* time in which the send buffer was too small */
    /* Latest advertised receive window in bytes; NAN: unknown (Linux before 6.2). */
    double window;
};

/* Set READING (its cookie to 0) from the LENGTH BYTES of the kernel's tcp_info. Returns true, or
 * false if they lack fields that Linux has since 4.10. */
bool tcp_reading_parse(struct tcp_reading *reading, const void *bytes, size_t length);

/* Read the state of socket FD. Returns false if FD is not TCP or Linux is older than 4.12. */
bool tcp_read(int fd, struct tcp_reading *reading);

/* Sums over periods and connections. */
struct tcp_sums {
    double ns; /* total length of the periods */
    double rtt_us, rtt_variation_us, rtt_readings;
    double rtt_least_us; /* least round trip time of all readings; 0: not measured */
    double sent, resent, received, out_of_order, duplicates;
    double window_limited_us, buffer_limited_us;
    /* USED_NS: sum over the periods of length times window_used of struct tcp_figures. WINDOW_NS:
     * total length of the periods whose window_used is known. */
    double used_ns, window_ns;
};

/* Add a period of NS of one connection, with the readings BEFORE and AFTER it. */
void tcp_sums_add(struct tcp_sums *sums, const struct tcp_reading *before,
                  const struct tcp_reading *after, uint64_t ns);

/* Figures computed from sums. Shares are 0 to 1; NAN: unknown. */
struct tcp_figures {
    double rtt_ns, rtt_variation_ns; /* means of the readings after the periods */
    double rtt_least_ns;             /* least round trip time of all connections */
    double retransmitted;            /* share of the sent data segments */
    double out_of_order;             /* share of the received data segments */
    /* share of the retransmitted segments that the peer already had (RFC 3708) */
    double spurious;
    double window_limited; /* share of the time in which the peer's receive window was full */
    double buffer_limited; /* share of the time in which the send buffer was too small */
    /* Bytes in flight to this machine divided by its receive window; near 1 the window limits the
     * rate. By Little's law the bytes in flight are the rate times the round trip time. The least
     * round trip time is used, because waiting in a queue does not require a larger window. */
    double window_used;
};

struct tcp_figures tcp_sums_figures(const struct tcp_sums *sums);

enum { TCP_WATCHED_MAXIMUM = 8 };

/* Some connections of a load. Their states are read at the begin and the end of a block. */
struct tcp_watch {
    size_t count;
    struct tcp_watched {
        int fd;
        uint64_t cookie;
        struct tcp_reading before; /* reading at the begin of the period */
        double window;             /* largest window advertised so far, in bytes; 0: unknown */
    } connections[TCP_WATCHED_MAXIMUM];
    struct tcp_sums sums; /* sums over all connections */
};

/* Prepare to watch the COUNT sockets FDS. COUNT must not exceed TCP_WATCHED_MAXIMUM. Sockets that
 * are no TCP connections are skipped. If a connection is lost, its current and later periods are
 * skipped, even if another socket gets its descriptor. */
void tcp_watch_open(struct tcp_watch *watch, const int *fds, size_t count);

/* tcp_watch_begin() begins a period of all connections. tcp_watch_end() ends the period, which has
 * lasted NS, and adds it to WATCH's sums. */
void tcp_watch_begin(struct tcp_watch *watch);
void tcp_watch_end(struct tcp_watch *watch, uint64_t ns);
