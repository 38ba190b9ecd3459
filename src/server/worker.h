/* A thread of the server: it waits for its connections and for the sockets that all threads watch,
 * and answers what comes. Several form a pool: whoever accepts a connection hands it to the thread
 * whose turn it is, so that even few clients are spread evenly. */
#ifndef NFSBENCH_SERVER_WORKER_H
#define NFSBENCH_SERVER_WORKER_H

#include <pthread.h>
#include <signal.h>

#include "server/datagram.h"
#include "server/dispatch.h"
#include "server/patience.h"
#include "server/sockets.h"
#include "server/stream.h"

struct pool;

struct worker {
    struct pool *pool;
    struct service service;
    pthread_t thread; /* of all but the first, which runs in the caller's */
    bool has_thread;
    int epoll;
    struct watched timer, end;
    int spare; /* a descriptor to give up when no other is left */
    struct stream *streams;
    struct patience patience;
    struct stream_scratch scratch;
    uint8_t datagram[DATAGRAM_MAXIMUM];
};

struct pool {
    struct worker **workers;
    size_t count;
    struct sockets sockets;
    atomic_uint next_turn;
    pthread_mutex_t streams_lock; /* of all workers' lists of streams */
    pthread_mutex_t accept_lock;  /* so that nobody else takes the descriptor that the spare one
                                   * leaves */
};

/* Have epoll do OPERATION for what is WATCHED, with EVENTS. 0 or a negative errno. */
int worker_watch(struct worker *worker, int operation, struct watched *watched, uint32_t events);

/* Make COUNT workers for EXPORTED, whose calls go through the pool's sockets, which are open.
 * Threads are started for all but the first. KEEP_TIMES: measure service times. 0, or a negative
 * errno with ERROR set. */
int pool_open(struct pool *pool, size_t count, struct exported *exported, bool keep_times,
              struct error *error);

/* Serve as the first worker until *STOP is not 0, as server_run() says. */
int pool_run(struct pool *pool, const volatile sig_atomic_t *stop, struct error *error);

/* End the threads and close all connections. */
void pool_close(struct pool *pool);

#endif
