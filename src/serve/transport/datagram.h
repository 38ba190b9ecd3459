/* The server's UDP sockets: each request and each reply is one datagram. */
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "serve/rpc/dispatch.h"

enum { DATAGRAM_MAXIMUM = 65536 }; /* maximum length of a datagram, in bytes */

/* Make the kernel report to which local address each request was sent, so that the reply is sent
 * from there. Needed for sockets that are bound to all addresses. Returns 0 or a negative errno. */
int datagram_learn_destination(int fd, int family);

/* A received datagram, with the peer's and the local address for the answer. */
struct datagram {
    struct sockaddr_storage peer;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct in6_pktinfo))];
    struct iovec bytes;     /* the request; in the echo, later the answer */
    struct msghdr envelope; /* argument of recvmsg() and sendmsg() */
};

/* Receive a datagram into INPUT, which has DATAGRAM_MAXIMUM bytes. FLAGS are those of recvmsg().
 * Returns the datagram's length, or a negative errno: -EMSGSIZE if it was truncated. */
ssize_t datagram_receive(int fd, int flags, uint8_t *input, struct datagram *datagram);

enum {
    DATAGRAMS_AT_ONCE = 64, /* maximum of datagrams that one system call receives or sends */
    /* Distance between the buffers of two datagrams, in bytes. If it were a power of two, the
     * buffers' first bytes would compete for few cache lines. */
    DATAGRAM_STRIDE = DATAGRAM_MAXIMUM + 320,
};

/* Memory of one thread for receiving and answering several datagrams at once. */
struct datagrams {
    size_t share; /* maximum of datagrams received at once */
    size_t usual; /* number of datagrams that the last successful receive returned; 0 at first */
    struct datagram received[DATAGRAMS_AT_ONCE];
    struct mmsghdr requests[DATAGRAMS_AT_ONCE], replies[DATAGRAMS_AT_ONCE];
    struct iovec reply_bytes[DATAGRAMS_AT_ONCE];
    uint8_t input[DATAGRAMS_AT_ONCE][DATAGRAM_STRIDE];
};

/* Answer requests that are waiting at FD, which is readable. Their number is limited, because other
 * sockets wait, too. The first receive asks for USUAL requests (or 1). If all arrive, the next
 * receive asks for twice as many, up to SHARE. So few buffers are prepared for a single request.
 * OUTPUT has STREAM_OUTPUT_SIZE bytes. */
void datagram_readable(int fd, struct service *service, struct datagrams *datagrams,
                       uint8_t *output);

void datagram_send_delayed(const struct delayed_reply *reply);
