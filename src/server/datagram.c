#include "server/datagram.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

int datagram_learn_destination(int fd, int family)
{
    int one = 1;
    int code = family == AF_INET6 ? setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &one, sizeof one)
                                  : setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &one, sizeof one);

    return code == 0 ? 0 : -errno;
}

/* The control data of a request say by which interface it came. Left in, that would force the reply
 * out by the same one, against the routes: only the address is to be kept. (The scope of a
 * link-local peer is in its own address.) */
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

void datagram_readable(int fd, struct service *service, uint8_t *input, uint8_t *output)
{
    union {
        struct cmsghdr alignment;
        char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo))];
    } control;
    struct sockaddr_storage peer;
    struct iovec buffer = {.iov_base = input, .iov_len = DATAGRAM_MAXIMUM};
    struct msghdr message = {.msg_name = &peer,
                             .msg_namelen = sizeof peer,
                             .msg_iov = &buffer,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t got = recvmsg(fd, &message, MSG_DONTWAIT);
    size_t length;

    /* Errors of earlier replies (ICMP) come up here, too, and mean
     * nothing to the next request. */
    if (got < 0 || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
        return;
    length = dispatch_message(service, input, (size_t)got, false, &peer, output);
    if (length == 0)
        return;
    /* Address and control data go back as they came: to whom, and from which address. A reply that
     * can't be sent is lost, as datagrams may be: the client will ask again. */
    buffer = (struct iovec){.iov_base = output, .iov_len = length};
    message.msg_flags = 0;
    forget_interface(&message);
    (void)!sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}
