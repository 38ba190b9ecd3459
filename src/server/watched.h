/* A descriptor that a server thread watches by epoll, and what it is. */
#ifndef NFSBENCH_SERVER_WATCHED_H
#define NFSBENCH_SERVER_WATCHED_H

enum watched_kind {
    WATCHED_LISTENER,
    WATCHED_DATAGRAMS,
    WATCHED_STREAM,
    WATCHED_TIMER, /* delayed replies are due */
    WATCHED_END,   /* the thread must end */
};

struct watched {
    enum watched_kind kind;
    int fd;
};

#endif
