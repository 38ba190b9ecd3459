/* The server's threads. Each thread waits for its own connections and for the sockets that all
 * threads watch, and answers requests. The thread that accepts a connection gives it to the next
 * thread in turn, so that even a few clients are spread evenly. */
#pragma once

#include <pthread.h>
#include <signal.h>

#include "serve/rpc/dispatch.h"
#include "serve/transport/datagram.h"
#include "serve/transport/sockets.h"
#include "serve/transport/stream.h"
#include "serve/transport/timeouts.h"

struct thread_pool;

struct server_thread {
    struct thread_pool *pool;
    struct service service;
    pthread_t id; /* ID of the thread; unused for the first thread, which is the caller's */
    bool has_thread;
    int epoll;
    struct watched timer, end;
    int spare; /* spare descriptor, closed to accept and refuse a connection if no other is free */
    struct stream *streams;
    struct timeouts timeouts;
    struct stream_scratch scratch;
    struct datagrams datagrams;
};

struct thread_pool {
    struct server_thread **threads;
    size_t count;
    struct sockets sockets;
    atomic_uint next_turn;
    pthread_mutex_t streams_lock; /* protects all threads' lists of streams, and STREAM_COUNT */
    size_t stream_count;
    /* held so that no other thread takes the descriptor that closing SPARE frees */
    pthread_mutex_t accept_lock;
};

/* Prepare COUNT threads to serve EXPORTED over the pool's open sockets, and start all but the
 * caller's. If KEEP_TIMES, measure service times. Returns 0, or a negative errno with ERROR set;
 * the caller must call thread_pool_close() even then. */
int thread_pool_open(struct thread_pool *pool, size_t count, struct exported *exported,
                     bool keep_times, struct error *error);

/* Serve as the first thread until *STOP is not 0; see server_run(). */
int thread_pool_run(struct thread_pool *pool, const volatile sig_atomic_t *stop,
                    struct error *error);

void thread_pool_close(struct thread_pool *pool);
