#include "serve/transport/datagram.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

#include "common/address.h"
#include "serve/transport/stream.h"

/* Number of requests after which a turn ends. The number is high, because asking epoll again takes
 * as long as receiving a request. */
enum { REQUESTS_AT_ONCE = 64 };

int datagram_learn_destination(int fd, int family)
{
    int one = 1;
    int code = family == AF_INET6 ? setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &one, sizeof one)
                                  : setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &one, sizeof one);

    return code == 0 ? 0 : -errno;
}

/* Clear the interface in a request's control data, but keep the local address. With the interface,
 * the reply would leave by the interface on which the request arrived, whatever the routes say.
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

/* Prepare ENVELOPE for receiving DATAGRAM, whose bytes are stored in INPUT. */
static void prepare_receive(struct datagram *datagram, uint8_t *input, struct msghdr *envelope)
{
    datagram->bytes = (struct iovec){.iov_base = input, .iov_len = DATAGRAM_MAXIMUM};
    *envelope = (struct msghdr){.msg_name = &datagram->peer,
                                .msg_namelen = sizeof datagram->peer,
                                .msg_iov = &datagram->bytes,
                                .msg_iovlen = 1,
                                .msg_control = datagram->control,
                                .msg_controllen = sizeof datagram->control};
}

/* Prepare a received ENVELOPE for sending the reply. Returns false if the received datagram or its
 * control data were truncated. */
static bool accept_envelope(struct msghdr *envelope)
{
    if (envelope->msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        return false;
    forget_interface(envelope);
    envelope->msg_flags = 0;
    return true;
}

ssize_t datagram_receive(int fd, int flags, uint8_t *input, struct datagram *datagram)
{
    struct msghdr *envelope = &datagram->envelope;
    ssize_t got;

    prepare_receive(datagram, input, envelope);
    got = recvmsg(fd, envelope, flags);
    if (got < 0)
        return -errno;
    return accept_envelope(envelope) ? got : -EMSGSIZE;
}

static bool happens(struct service *service, double probability)
{
    return probability > 0 && random_chance(&service->random, probability);
}

void datagram_send_delayed(const struct delayed_reply *reply)
{
    struct delayed_reply copy = *reply; /* without BYTES; BUFFER points to REPLY's BYTES */
    struct iovec buffer = {.iov_base = (void *)(uintptr_t)reply->bytes, .iov_len = reply->length};
    struct msghdr message = {.msg_name = &copy.peer,
                             .msg_namelen = address_length(&copy.peer),
                             .msg_iov = &buffer,
                             .msg_iovlen = 1,
                             .msg_control = copy.control,
                             .msg_controllen = copy.control_length};

    (void)!sendmsg(reply->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

struct turn {
    int fd;
    struct service *service;
    struct datagrams *datagrams;
    uint8_t *output;  /* STREAM_OUTPUT_SIZE bytes */
    size_t filled;    /* bytes of OUTPUT that replies use */
    unsigned to_send; /* number of replies in DATAGRAMS to send */
};

/* Send the replies so far. A reply that can't be sent may be lost, because the client will repeat
 * its request. The tree is unlocked first, so that other threads need not wait for the system
 * call. */
static void send_replies(struct turn *turn)
{
    dispatch_pause(turn->service);
    for (unsigned sent = 0; sent < turn->to_send;) {
        int count = sendmmsg(turn->fd, turn->datagrams->replies + sent, turn->to_send - sent,
                             MSG_DONTWAIT | MSG_NOSIGNAL);

        sent += count > 0 ? (unsigned)count : 1;
    }
    turn->to_send = 0;
    turn->filled = 0;
}

/* Answer the request of LENGTH bytes in INPUT that came in ENVELOPE, now, later, or not at
 * all. ENVELOPE has the client's address and, as control data, the local address. */
static void answer_request(struct turn *turn, const uint8_t *input, size_t length,
                           const struct msghdr *envelope)
{
    struct datagrams *datagrams = turn->datagrams;
    struct iovec *bytes = &datagrams->reply_bytes[turn->to_send];
    struct msghdr *reply = &datagrams->replies[turn->to_send].msg_hdr;
    struct answer answered = dispatch_message(turn->service, input, length, false,
                                              envelope->msg_name, turn->output + turn->filled);

    if (answered.length == 0 || happens(turn->service, turn->service->exported->policy.drop))
        return;
    *bytes = (struct iovec){turn->output + turn->filled, answered.length};
    *reply = *envelope;
    reply->msg_iov = bytes;
    if (answered.delay_ns) {
        delayed_add_datagram(&turn->service->delayed, answered.delay_ns, turn->fd, reply);
        return;
    }
    turn->filled += answered.length;
    if (++turn->to_send == DATAGRAMS_AT_ONCE ||
        turn->filled + DISPATCH_REPLY_MAXIMUM > STREAM_OUTPUT_SIZE)
        send_replies(turn);
}

static void serve_one(struct turn *turn, size_t index)
{
    const struct policy *policy = &turn->service->exported->policy;
    struct mmsghdr *request = &turn->datagrams->requests[index];
    const uint8_t *input = turn->datagrams->input[index];

    if (!accept_envelope(&request->msg_hdr) || happens(turn->service, policy->drop))
        return;
    answer_request(turn, input, request->msg_len, &request->msg_hdr);
    if (happens(turn->service, policy->duplicate))
        answer_request(turn, input, request->msg_len, &request->msg_hdr);
}

/* Receive at most WANTED requests and answer them. Returns how many were received. If the
 * socket reports an earlier reply's error (ICMP), returns 0, and requests wait for another turn. */
static size_t serve_some(struct turn *turn, size_t wanted)
{
    struct datagrams *datagrams = turn->datagrams;
    int count;

    for (size_t i = 0; i < wanted; i++)
        prepare_receive(&datagrams->received[i], datagrams->input[i],
                        &datagrams->requests[i].msg_hdr);
    count = recvmmsg(turn->fd, datagrams->requests, (unsigned)wanted, MSG_DONTWAIT, NULL);
    dispatch_begin(turn->service);
    for (int i = 0; i < count; i++)
        serve_one(turn, (size_t)i);
    send_replies(turn);
    dispatch_end(turn->service);
    return count > 0 ? (size_t)count : 0;
}

void datagram_readable(int fd, struct service *service, struct datagrams *datagrams,
                       uint8_t *output)
{
    struct turn turn = {.fd = fd, .service = service, .datagrams = datagrams, .output = output};
    size_t wanted = datagrams->usual ? datagrams->usual : 1, served = 0, got;

    while (served < REQUESTS_AT_ONCE) {
        got = serve_some(&turn, wanted);
        if (got > 0)
            datagrams->usual = got;
        if (got < wanted)
            return;
        served += got;
        wanted = 2 * wanted < datagrams->share ? 2 * wanted : datagrams->share;
    }
}
