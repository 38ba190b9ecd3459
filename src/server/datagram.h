/* The server's UDP sockets: a request a datagram, a reply a datagram. */
#ifndef NFSBENCH_SERVER_DATAGRAM_H
#define NFSBENCH_SERVER_DATAGRAM_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "server/dispatch.h"

/* A datagram is never longer. */
enum { DATAGRAM_MAXIMUM = 65536 };

/* Have the kernel say to which of the host's addresses each request came, so that the reply goes
 * out from there: for sockets bound to any address. 0 or a negative errno. */
int datagram_learn_destination(int fd, int family);

/* A datagram that came, and what its answer needs: to whom, and from which address. */
struct datagram {
    struct sockaddr_storage peer;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct in6_pktinfo))];
    struct iovec bytes;     /* where it is; then where the answer is */
    struct msghdr envelope; /* for sendmsg() */
};

/* Receive one, with the FLAGS of recvmsg(), into INPUT, which has DATAGRAM_MAXIMUM bytes. Its
 * length, or a negative errno: -EMSGSIZE where something was cut off. */
ssize_t datagram_receive(int fd, int flags, uint8_t *input, struct datagram *datagram);

/* The socket can be read: answer one request. INPUT has DATAGRAM_MAXIMUM bytes, OUTPUT
 * DISPATCH_REPLY_MAXIMUM. */
void datagram_readable(int fd, struct service *service, uint8_t *input, uint8_t *output);

/* Send a reply that was kept back. */
void datagram_send_delayed(const struct delayed_reply *reply);

#endif
