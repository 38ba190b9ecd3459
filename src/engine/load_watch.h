/* An observer of calls under load, called at each step by the thread that makes them. A
 * connection is named by its number among those of its thread. */
#ifndef NFSBENCH_ENGINE_LOAD_WATCH_H
#define NFSBENCH_ENGINE_LOAD_WATCH_H

#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

struct call_slot;

struct load_watch {
    /* There is a new socket, over which nothing was sent yet. */
    void (*connected)(void *context, unsigned connection, int fd);
    /* CALL is about to be added, as the next LENGTH bytes of what is to be sent, or the next
     * datagram. */
    void (*adding)(void *context, unsigned connection, const struct call_slot *call, size_t length);
    /* As sendmsg() and recv(), in their place. */
    ssize_t (*send)(void *context, unsigned connection, int fd, struct msghdr *message, int flags);
    ssize_t (*receive)(void *context, unsigned connection, int fd, void *bytes, size_t room,
                       int flags);
    /* Over UDP: as sendmmsg() and recvmmsg() of COUNT messages of LIST. */
    int (*send_datagrams)(void *context, unsigned connection, int fd, struct mmsghdr *list,
                          unsigned count, int flags);
    int (*receive_datagrams)(void *context, unsigned connection, int fd, struct mmsghdr *list,
                             unsigned count, int flags);
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

#endif
