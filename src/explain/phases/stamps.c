#include "explain/phases/stamps.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/deadline.h"
#include "common/system_clock.h"

/* SOF_TIMESTAMPING_OPT_ID_TCP, since Linux 6.2, not in the headers of Debian 12's libc: numbers of
 * bytes count from the first byte that is written after timestamps were enabled, even if earlier
 * bytes are not sent yet. */
enum { TIMESTAMPING_OPT_ID_TCP = 1 << 16 };

enum {
    CONTROL_SIZE = 512,
    DATAGRAM_CONTROL_SIZE = 128, /* space for three times (struct timespec) with a header */
    PROBE_PAUSE_NS = 10 * 1000 * 1000,
    PROBES = 100,
    COMPARISONS = 20,
    CLOCK_STEP_NS = 1000, /* more than the time between two successive readings of a clock */
};

static uint64_t to_ns(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

bool stamps_compare_clocks(struct stamps *stamps)
{
    uint64_t before = stamps->real_ahead, tightest = UINT64_MAX, moved;

    for (int i = 0; i < COMPARISONS; i++) {
        uint64_t first = monotonic_ns(), real = system_clock_ns(CLOCK_REALTIME);
        uint64_t last = monotonic_ns();

        if (last - first >= tightest)
            continue;
        tightest = last - first;
        stamps->real_ahead = real - (first + (last - first) / 2);
    }
    moved = before > stamps->real_ahead ? before - stamps->real_ahead : stamps->real_ahead - before;
    return before != 0 && moved > CLOCK_STEP_NS;
}

static const struct timespec *find_stamp(struct msghdr *message)
{
    for (struct cmsghdr *item = CMSG_FIRSTHDR(message); item; item = CMSG_NXTHDR(message, item))
        if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SO_TIMESTAMPING)
            return (const struct timespec *)(const void *)CMSG_DATA(item);
    return NULL;
}

/* Return the timestamp of MESSAGE, converted to CLOCK_MONOTONIC; 0 if there is none. */
static uint64_t stamp_time(const struct stamps *stamps, struct msghdr *message)
{
    const struct timespec *stamp = find_stamp(message);
    struct timespec time = {0};

    if (stamp)
        memcpy(&time, stamp, sizeof time);
    return to_ns(&time) ? to_ns(&time) - stamps->real_ahead : 0;
}

ssize_t stamps_receive(struct stamps *stamps, void *bytes, size_t room, int flags)
{
    _Alignas(struct cmsghdr) char control[CONTROL_SIZE];
    struct iovec part = {.iov_base = bytes, .iov_len = room};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    ssize_t got = recvmsg(stamps->fd, &message, flags);

    stamps->received_at = got > 0 ? stamp_time(stamps, &message) : 0;
    return got;
}

int stamps_receive_datagrams(struct stamps *stamps, struct mmsghdr *list, unsigned count, int flags,
                             uint64_t *received_at)
{
    _Alignas(struct cmsghdr) char control[STAMPS_DATAGRAMS_MAXIMUM][DATAGRAM_CONTROL_SIZE];
    int got, error;

    if (count > STAMPS_DATAGRAMS_MAXIMUM)
        count = STAMPS_DATAGRAMS_MAXIMUM;
    for (unsigned i = 0; i < count; i++) {
        list[i].msg_hdr.msg_control = control[i];
        list[i].msg_hdr.msg_controllen = sizeof control[i];
    }
    got = recvmmsg(stamps->fd, list, count, flags, NULL);
    error = errno;
    for (int i = 0; i < got; i++)
        received_at[i] = stamp_time(stamps, &list[i].msg_hdr);
    for (unsigned i = 0; i < count; i++) {
        list[i].msg_hdr.msg_control = NULL;
        list[i].msg_hdr.msg_controllen = 0;
    }
    errno = error;
    return got;
}

/* Open a socket that sends datagrams to itself, with receive timestamps. Returns -1 on failure. */
static int open_probe(void)
{
    const unsigned flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &length) == 0 &&
        connect(fd, (struct sockaddr *)&address, length) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

void stamps_await(void)
{
    struct stamps probe = {.fd = open_probe()};

    for (int i = 0; i < PROBES && probe.received_at == 0; i++) {
        char byte = 0;

        deadline_pause(PROBE_PAUSE_NS);
        if (probe.fd < 0 && i > 0)
            return;
        if (probe.fd >= 0 && send(probe.fd, &byte, 1, 0) == 1)
            stamps_receive(&probe, &byte, 1, 0);
    }
    if (probe.fd >= 0)
        close(probe.fd);
}

/* Set the socket's timestamp flags. While SENDING is false, the kernel continues to number the
 * bytes sent over TCP, but gives the datagrams sent over UDP no numbers. */
static int set_flags(const struct stamps *stamps)
{
    unsigned flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE |
                     SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;

    if (stamps->sending)
        flags |= SOF_TIMESTAMPING_TX_SCHED | SOF_TIMESTAMPING_TX_SOFTWARE;
    if (stamps->tcp)
        flags |= TIMESTAMPING_OPT_ID_TCP;
    return setsockopt(stamps->fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) == 0 ? 0
                                                                                          : -errno;
}

void stamps_set_sending(struct stamps *stamps, bool on)
{
    if (stamps->sending == on)
        return;
    stamps->sending = on;
    set_flags(stamps);
}

int stamps_begin(struct stamps *stamps, int fd, bool tcp)
{
    stamps->fd = fd;
    stamps->tcp = tcp;
    stamps->sending = true;
    stamps_compare_clocks(stamps);
    return set_flags(stamps);
}

static const struct sock_extended_err *find_origin(struct msghdr *message)
{
    for (struct cmsghdr *item = CMSG_FIRSTHDR(message); item; item = CMSG_NXTHDR(message, item))
        if ((item->cmsg_level == SOL_IP && item->cmsg_type == IP_RECVERR) ||
            (item->cmsg_level == SOL_IPV6 && item->cmsg_type == IPV6_RECVERR))
            return (const struct sock_extended_err *)(const void *)CMSG_DATA(item);
    return NULL;
}

bool stamps_take(struct stamps *stamps, struct stamp *stamp)
{
    _Alignas(struct cmsghdr) char control[CONTROL_SIZE];
    const struct sock_extended_err *origin;

    for (;;) {
        struct msghdr message = {.msg_control = control, .msg_controllen = sizeof control};

        if (recvmsg(stamps->fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
            return false;
        origin = find_origin(&message);
        if (!origin || origin->ee_origin != SO_EE_ORIGIN_TIMESTAMPING)
            continue; /* the error is not a timestamp, but for example an ICMP message */
        *stamp = (struct stamp){
            .number = origin->ee_data, .kind = origin->ee_info, .at = stamp_time(stamps, &message)};
        if (stamp->kind == SCM_TSTAMP_SCHED || stamp->kind == SCM_TSTAMP_SND)
            return true;
    }
}
