#include "server/datagram.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

#include "common/address.h"

/* In a turn, without asking epoll about each: it costs as much as to receive one. */
enum { REQUESTS_AT_ONCE = 64 };

int datagram_learn_destination(int fd, int family)
{
    int one = 1;
    int code = family == AF_INET6 ? setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &one, sizeof one)
                                  : setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &one, sizeof one);

    return code == 0 ? 0 : -errno;
}

/* The control data of a request include the interface on which it arrived. If that were kept, the
 * reply would leave by the same interface, whatever the routes say; so only the address is kept.
 * (The scope of a link-local peer is in the peer's address.) */
static void forget_interface(struct msghdr *message)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    const unsigned any = 0;

    if (!header)
        return;
    if (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO)
        memcpy(CMSG_DATA(header) + offsetof(struct in_pktinfo, ipi_ifindex), &any, sizeof any);
    else if (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_PKTINFO)
        memcpy(CMSG_DATA(header) + offsetof(struct in6_pktinfo, ipi6_ifindex), &any, sizeof any);
}

ssize_t datagram_receive(int fd, int flags, uint8_t *input, struct datagram *datagram)
{
    struct msghdr *envelope = &datagram->envelope;
    ssize_t got;

    datagram->bytes = (struct iovec){.iov_base = input, .iov_len = DATAGRAM_MAXIMUM};
    *envelope = (struct msghdr){.msg_name = &datagram->peer,
                                .msg_namelen = sizeof datagram->peer,
                                .msg_iov = &datagram->bytes,
                                .msg_iovlen = 1,
                                .msg_control = datagram->control,
                                .msg_controllen = sizeof datagram->control};
    got = recvmsg(fd, envelope, flags);
    if (got < 0)
        return -errno;
    if (envelope->msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        return -EMSGSIZE;
    forget_interface(envelope);
    envelope->msg_flags = 0;
    return got;
}

static bool happens(struct service *service, double probability)
{
    return probability > 0 && random_chance(&service->random, probability);
}

/* Send a reply, now or later. A reply that can't be sent is lost, as datagrams may be: the client
 * will send its request again. */
static void send_reply(int fd, struct service *service, struct msghdr *message, uint64_t delay_ns)
{
    if (happens(service, service->exported->policy.drop))
        return;
    if (delay_ns)
        delayed_add_datagram(&service->delayed, delay_ns, fd, message);
    else
        (void)!sendmsg(fd, message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void datagram_send_delayed(const struct delayed_reply *reply)
{
    struct delayed_reply copy = *reply; /* its bytes are copied separately */
    struct iovec buffer = {.iov_base = (void *)(uintptr_t)reply->bytes, .iov_len = reply->length};
    struct msghdr message = {.msg_name = &copy.peer,
                             .msg_namelen = address_length(&copy.peer),
                             .msg_iov = &buffer,
                             .msg_iovlen = 1,
                             .msg_control = copy.control,
                             .msg_controllen = copy.control_length};

    (void)!sendmsg(reply->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Answer the request of LENGTH bytes in INPUT that came with MESSAGE. */
static void answer(int fd, struct service *service, const uint8_t *input, size_t length,
                   uint8_t *output, struct msghdr message)
{
    struct iovec buffer = {.iov_base = output};
    struct answer answered =
        dispatch_message(service, input, length, false, message.msg_name, output);

    if (answered.length == 0)
        return;
    /* The peer's address and the control data are sent back: they say where to, and from which
     * address. */
    buffer.iov_len = answered.length;
    message.msg_iov = &buffer;
    send_reply(fd, service, &message, answered.delay_ns);
}

/* Answer a request, if there is one; 0, or a negative errno. */
static int serve_one(int fd, struct service *service, uint8_t *input, uint8_t *output)
{
    const struct policy *policy = &service->exported->policy;
    struct datagram datagram;
    ssize_t got = datagram_receive(fd, MSG_DONTWAIT, input, &datagram);

    if (got < 0)
        return (int)got;
    if (happens(service, policy->drop))
        return 0;
    answer(fd, service, input, (size_t)got, output, datagram.envelope);
    if (happens(service, policy->duplicate))
        answer(fd, service, input, (size_t)got, output, datagram.envelope);
    return 0;
}

/* Errors of earlier replies (ICMP) are reported when a request is received, too, and have nothing
 * to do with the next one, which gets another turn. */
void datagram_readable(int fd, struct service *service, uint8_t *input, uint8_t *output)
{
    for (int i = 0; i < REQUESTS_AT_ONCE; i++)
        if (serve_one(fd, service, input, output) != 0)
            return;
}
