/* The server's UDP sockets: each request and each reply is one datagram. */
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "serve/rpc/dispatch.h"

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

enum {
    DATAGRAMS_TOGETHER = 64, /* received, or sent, by one system call at most */
    /* Between the beginnings of two datagrams. If they were a power of two apart, they would all
       use the same few lines of the cache. */
    DATAGRAM_STRIDE = DATAGRAM_MAXIMUM + 320,
};

/* What a thread needs to receive and answer several datagrams at once. */
struct datagrams {
    size_t share; /* the most that the thread takes at once: others serve the socket, too */
    size_t usual; /* how many the last receive brought; 0: there was none */
    struct datagram received[DATAGRAMS_TOGETHER];
    struct mmsghdr requests[DATAGRAMS_TOGETHER], replies[DATAGRAMS_TOGETHER];
    struct iovec reply_bytes[DATAGRAMS_TOGETHER];
    uint8_t input[DATAGRAMS_TOGETHER][DATAGRAM_STRIDE];
};

/* The socket can be read: answer the requests that are there; some at most, since others wait, too.
 * One is received at first; where there are more, twice as many the next time, so that a single
 * request is answered by as few system calls as possible. OUTPUT has STREAM_OUTPUT_SIZE bytes. */
void datagram_readable(int fd, struct service *service, struct datagrams *datagrams,
                       uint8_t *output);

/* Send a delayed reply. */
void datagram_send_delayed(const struct delayed_reply *reply);
