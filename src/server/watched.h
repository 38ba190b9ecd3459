/* A descriptor that a thread of the server waits for, and what it is. */
#ifndef NFSBENCH_SERVER_WATCHED_H
#define NFSBENCH_SERVER_WATCHED_H

enum watched_kind {
    WATCHED_LISTENER,
    WATCHED_DATAGRAMS,
    WATCHED_STREAM,
    WATCHED_TIMER, /* delayed replies are due */
    WATCHED_END,   /* the thread is to end */
};

struct watched {
    enum watched_kind kind;
    int fd;
};

#endif
