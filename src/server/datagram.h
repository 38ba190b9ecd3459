/* The server's UDP sockets: each request and each reply is one datagram. */
#ifndef NFSBENCH_SERVER_DATAGRAM_H
#define NFSBENCH_SERVER_DATAGRAM_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "server/dispatch.h"

/* The maximum length of a datagram. */
enum { DATAGRAM_MAXIMUM = 65536 };

/* Have the kernel report to which of the host's addresses each request was sent, so that the reply
 * is sent from there; for sockets that are bound to any address. 0 or a negative errno. */
int datagram_learn_destination(int fd, int family);

/* A received datagram, and what its answer needs: the peer's address and the local one. */
struct datagram {
    struct sockaddr_storage peer;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct in6_pktinfo))];
    struct iovec bytes;     /* the request; later the answer */
    struct msghdr envelope; /* for sendmsg() */
};

/* Receive a datagram, with FLAGS for recvmsg(), into INPUT, which has DATAGRAM_MAXIMUM bytes.
 * Returns its length, or a negative errno: -EMSGSIZE if it was truncated. */
ssize_t datagram_receive(int fd, int flags, uint8_t *input, struct datagram *datagram);

/* The socket can be read: answer the requests that are there, one by one, so that other threads
 * take theirs; some at most, since others wait, too. INPUT has DATAGRAM_MAXIMUM bytes, OUTPUT
 * DISPATCH_REPLY_MAXIMUM. */
void datagram_readable(int fd, struct service *service, uint8_t *input, uint8_t *output);

/* Send a delayed reply. */
void datagram_send_delayed(const struct delayed_reply *reply);

#endif
