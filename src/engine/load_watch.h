/* An observer of calls, called at each step by the thread that makes them. A connection is named by
 * its number among those of its thread. A channel is number 0, and reports no calls, only new
 * sockets and TLS, and has datagrams sent and received as bytes are. */
#pragma once

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

struct call_slot;

struct load_watch {
    /* There is a new socket, over which no call was sent yet, but SENT bytes, and RECEIVED bytes
     * came back: the probe for TLS. */
    void (*connected)(void *context, unsigned connection, int fd, size_t sent, size_t received);
    /* CALL is about to be added, as the next LENGTH bytes of what is to be sent, or the next
     * datagram. LENGTH 0: it is about to be protected by Kerberos first, and then WRAPPED, to
     * LENGTH bytes. */
    void (*adding)(void *context, unsigned connection, const struct call_slot *call, size_t length);
    void (*wrapped)(void *context, unsigned connection, const struct call_slot *call,
                    size_t length);
    /* With TLS: what was added is about to be encrypted and sent; a record of it, with BYTES, was
     * sent; one was decrypted (see struct rpc_tls_calls); and all was that could be. */
    void (*encrypting)(void *context, unsigned connection);
    void (*record_sent)(void *context, unsigned connection, size_t bytes);
    void (*record_opened)(void *context, unsigned connection, size_t bytes, size_t received,
                          size_t skipped);
    void (*decrypted)(void *context, unsigned connection);
    /* As sendmsg() and recv(), in their place; with TLS, in the place of the session's. */
    ssize_t (*send)(void *context, unsigned connection, int fd, struct msghdr *message, int flags);
    ssize_t (*receive)(void *context, unsigned connection, int fd, void *bytes, size_t room,
                       int flags);
    /* Over UDP: as sendmmsg() and recvmmsg() of COUNT messages of LIST. */
    int (*send_datagrams)(void *context, unsigned connection, int fd, struct mmsghdr *list,
                          unsigned count, int flags);
    int (*receive_datagrams)(void *context, unsigned connection, int fd, struct mmsghdr *list,
                             unsigned count, int flags);
    /* By Kerberos: the reply to CALL was verified and unwrapped. */
    void (*unwrapped)(void *context, unsigned connection, const struct call_slot *call);
    /* The reply to CALL was checked, with STATUS (see engine_check_reply()). Its LENGTH bytes, with
     * its record mark, are followed by AFTER bytes that were received, too; over UDP it is followed
     * by AFTER datagrams. */
    void (*answered)(void *context, unsigned connection, const struct call_slot *call,
                     size_t length, size_t after, int status);
    void *context;
};

/* Who observes a connection. */
struct load_watched {
    const struct load_watch *watch; /* NULL: nobody */
    unsigned connection;
};

/* sendmsg() and recv() over FD, by way of the observer of WATCHED if there is one. */
static inline ssize_t load_watched_send(const struct load_watched *watched, int fd,
                                        struct msghdr *message, int flags)
{
    const struct load_watch *watch = watched->watch;

    return watch ? watch->send(watch->context, watched->connection, fd, message, flags)
                 : sendmsg(fd, message, flags);
}

static inline ssize_t load_watched_receive(const struct load_watched *watched, int fd, void *bytes,
                                           size_t room, int flags)
{
    const struct load_watch *watch = watched->watch;

    return watch ? watch->receive(watch->context, watched->connection, fd, bytes, room, flags)
                 : recv(fd, bytes, room, flags);
}
