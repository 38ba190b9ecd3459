#include "engine/channel/tcp_state.h"

#include <linux/tcp.h>
#include <math.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define END_OF(member) (offsetof(struct tcp_info, member) + sizeof((struct tcp_info){0}.member))

enum {
    LEAST = END_OF(tcpi_sndbuf_limited),
    WINDOW_AT = END_OF(tcpi_snd_wnd), /* offset of tcpi_rcv_wnd in newer kernels */
    INFO_ROOM = 512
};

bool tcp_reading_parse(struct tcp_reading *reading, const void *bytes, size_t length)
{
    struct tcp_info info = {.tcpi_state = 0};
    uint32_t window;

    if (length < LEAST)
        return false;
    memcpy(&info, bytes, length < sizeof info ? length : sizeof info);
    *reading = (struct tcp_reading){
        .rtt_us = info.tcpi_rtt,
        .rtt_variation_us = info.tcpi_rttvar,
        .rtt_least_us = info.tcpi_min_rtt == UINT32_MAX ? 0 : info.tcpi_min_rtt,
        .sent = info.tcpi_data_segs_out,
        .resent = info.tcpi_total_retrans,
        .received = info.tcpi_data_segs_in,
        .received_bytes = info.tcpi_bytes_received,
        .window_limited_us = info.tcpi_rwnd_limited,
        .buffer_limited_us = info.tcpi_sndbuf_limited,
        .out_of_order = length < END_OF(tcpi_rcv_ooopack) ? NAN : (double)info.tcpi_rcv_ooopack,
        .duplicates = length < END_OF(tcpi_dsack_dups) ? NAN : (double)info.tcpi_dsack_dups,
        .window = NAN};
    if (length >= WINDOW_AT + sizeof window) {
        memcpy(&window, (const uint8_t *)bytes + WINDOW_AT, sizeof window);
        reading->window = window;
    }
    return true;
}

bool tcp_read(int fd, struct tcp_reading *reading)
{
    uint8_t info[INFO_ROOM];
    uint64_t cookie;
    socklen_t length = sizeof info, cookie_length = sizeof cookie;

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &length) != 0 ||
        !tcp_reading_parse(reading, info, length) ||
        getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &cookie_length) != 0)
        return false;
    reading->cookie = cookie;
    return true;
}

static double window_used(const struct tcp_reading *before, const struct tcp_reading *after,
                          double ns)
{
    const double bytes = (double)(after->received_bytes - before->received_bytes);

    if (!(after->window > 0) || after->rtt_least_us == 0 || ns == 0)
        return NAN;
    return bytes / ns * 1e3 * after->rtt_least_us / after->window;
}

void tcp_sums_add(struct tcp_sums *sums, const struct tcp_reading *before,
                  const struct tcp_reading *after, uint64_t period_ns)
{
    const double ns = (double)period_ns, used = window_used(before, after, ns);

    sums->ns += ns;
    if (after->rtt_us > 0) {
        sums->rtt_readings++;
        sums->rtt_us += after->rtt_us;
        sums->rtt_variation_us += after->rtt_variation_us;
    }
    if (after->rtt_least_us > 0 &&
        (sums->rtt_least_us == 0 || after->rtt_least_us < sums->rtt_least_us))
        sums->rtt_least_us = after->rtt_least_us;
    sums->sent += after->sent - before->sent;
    sums->resent += after->resent - before->resent;
    sums->received += after->received - before->received;
    sums->out_of_order += after->out_of_order - before->out_of_order;
    sums->duplicates += after->duplicates - before->duplicates;
    sums->window_limited_us += (double)(after->window_limited_us - before->window_limited_us);
    sums->buffer_limited_us += (double)(after->buffer_limited_us - before->buffer_limited_us);
    if (!isnan(used)) {
        sums->used_ns += used * ns;
        sums->window_ns += ns;
    }
}

/* Return PART / WHOLE, or NAN if WHOLE is 0. */
static double over(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* Return PART / WHOLE, at most 1. The peer may report duplicates (PART) after the period in which
 * the segments (WHOLE) were sent. */
static double share_of(double part, double whole)
{
    return part > whole ? over(whole, whole) : over(part, whole);
}

struct tcp_figures tcp_sums_figures(const struct tcp_sums *sums)
{
    return (struct tcp_figures){
        .rtt_ns = 1e3 * over(sums->rtt_us, sums->rtt_readings),
        .rtt_variation_ns = 1e3 * over(sums->rtt_variation_us, sums->rtt_readings),
        .rtt_least_ns = sums->rtt_least_us > 0 ? 1e3 * sums->rtt_least_us : NAN,
        .retransmitted = over(sums->resent, sums->sent),
        .out_of_order = over(sums->out_of_order, sums->received),
        .spurious = share_of(sums->duplicates, sums->resent),
        .window_limited = 1e3 * over(sums->window_limited_us, sums->ns),
        .buffer_limited = 1e3 * over(sums->buffer_limited_us, sums->ns),
        .window_used = over(sums->used_ns, sums->window_ns),
    };
}

void tcp_watch_open(struct tcp_watch *watch, const int *fds, size_t count)
{
    struct tcp_reading reading;

    *watch = (struct tcp_watch){.count = 0};
    for (size_t i = 0; i < count; i++)
        if (tcp_read(fds[i], &reading))
            watch->connections[watch->count++] =
                (struct tcp_watched){.fd = fds[i], .cookie = reading.cookie};
}

/* Read the state of CONNECTION's socket. Returns true, or false if it can't be read or the
 * descriptor is another socket's. */
static bool read_own(const struct tcp_watched *connection, struct tcp_reading *reading)
{
    return tcp_read(connection->fd, reading) && reading->cookie == connection->cookie;
}

void tcp_watch_begin(struct tcp_watch *watch)
{
    for (size_t i = 0; i < watch->count; i++)
        read_own(&watch->connections[i], &watch->connections[i].before);
}

void tcp_watch_end(struct tcp_watch *watch, uint64_t ns)
{
    for (size_t i = 0; i < watch->count; i++) {
        struct tcp_watched *connection = &watch->connections[i];
        struct tcp_reading after;

        if (!read_own(connection, &after))
            continue;
        connection->window = fmax(connection->window, after.window); /* fmax() ignores NAN */
        after.window = connection->window;
        tcp_sums_add(&watch->sums, &connection->before, &after, ns);
    }
}
