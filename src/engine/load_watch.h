/* An observer of one thread's calls. The thread reports each step of the calls to the observer.
 * CONNECTION is the index of one of the thread's connections. A channel is connection 0. A channel
 * reports only new sockets and the steps of TLS, and calls send() and receive() even over UDP. */
#pragma once

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

struct call_slot;

struct load_watch {
    /* The new socket FD was connected, and no call was sent over it yet. With TLS, SENT and
     * RECEIVED are the bytes that the probe sent and received; without TLS, they are 0. */
    void (*connected)(void *context, unsigned connection, int fd, size_t sent, size_t received);
    /* CALL, of LENGTH bytes with its record mark, is about to be added to the bytes to be sent
     * (UDP: as the next datagram). If LENGTH is 0, Kerberos first protects CALL, and wrapped()
     * reports the length of the protected call. */
    void (*adding)(void *context, unsigned connection, const struct call_slot *call, size_t length);
    void (*wrapped)(void *context, unsigned connection, const struct call_slot *call,
                    size_t length);
    /* For TLS. encrypting(): the added bytes are about to be encrypted and sent. record_sent(): a
     * record with BYTES of the added bytes was sent. record_opened(): a record was decrypted (see
     * decrypted() of struct rpc_tls_calls). decrypted(): one receive has returned decrypted bytes,
     * after all record_opened() of that receive. */
    void (*encrypting)(void *context, unsigned connection);
    void (*record_sent)(void *context, unsigned connection, size_t bytes);
    void (*record_opened)(void *context, unsigned connection, size_t bytes, size_t received,
                          size_t skipped);
    void (*decrypted)(void *context, unsigned connection);
    /* send() is called instead of sendmsg(), receive() instead of recv(), also by a TLS session. */
    ssize_t (*send)(void *context, unsigned connection, int fd, struct msghdr *message, int flags);
    ssize_t (*receive)(void *context, unsigned connection, int fd, void *bytes, size_t room,
                       int flags);
    /* UDP: called instead of sendmmsg() and recvmmsg(), for COUNT messages of LIST. */
    int (*send_datagrams)(void *context, unsigned connection, int fd, struct mmsghdr *list,
                          unsigned count, int flags);
    int (*receive_datagrams)(void *context, unsigned connection, int fd, struct mmsghdr *list,
                             unsigned count, int flags);
    /* Kerberos: the reply to CALL was verified and unwrapped. */
    void (*unwrapped)(void *context, unsigned connection, const struct call_slot *call);
    /* The reply to CALL was checked, with STATUS (see engine_verify_reply()). LENGTH is the length
     * of the reply as received (Kerberos: still protected), with a record mark (also over UDP).
     * AFTER is the number of bytes (UDP: datagrams) received after the reply. */
    void (*answered)(void *context, unsigned connection, const struct call_slot *call,
                     size_t length, size_t after, int status);
    void *context;
};

struct load_watched {
    const struct load_watch *watch; /* observer; NULL: there is none */
    unsigned connection;
};

/* Call sendmsg() or recv() on FD, or the observer's function if WATCHED has an observer. */
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
