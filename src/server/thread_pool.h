/* The server's threads. Each waits for its own connections and for the sockets that all threads
 * watch, and answers requests. The thread that accepts a connection hands it to the next thread in
 * turn, so that even a few clients are spread evenly. */
#pragma once

#include <pthread.h>
#include <signal.h>

#include "server/datagram.h"
#include "server/dispatch.h"
#include "server/patience.h"
#include "server/sockets.h"
#include "server/stream.h"

struct thread_pool;

struct server_thread {
    struct thread_pool *pool;
    struct service service;
    pthread_t id; /* of all but the first, which is the caller's thread */
    bool has_thread;
    int epoll;
    struct watched timer, end;
    int spare; /* a descriptor to give up when no other is free */
    struct stream *streams;
    struct patience patience;
    struct stream_scratch scratch;
    struct datagrams datagrams;
};

struct thread_pool {
    struct server_thread **threads;
    size_t count;
    struct sockets sockets;
    atomic_uint next_turn;
    pthread_mutex_t streams_lock; /* for the lists of streams of all threads, and their number */
    size_t stream_count;
    pthread_mutex_t
        accept_lock; /* so that no other thread takes the descriptor that the spare one frees */
};

/* Call epoll_ctl() with OPERATION for WATCHED and EVENTS. 0 or a negative errno. */
int server_thread_watch(struct server_thread *thread, int operation, struct watched *watched,
                        uint32_t events);

/* Start COUNT threads, including the caller's, to serve EXPORTED over the pool's sockets, which are
 * open. KEEP_TIMES: measure service times. 0, or a negative errno with ERROR set. */
int thread_pool_open(struct thread_pool *pool, size_t count, struct exported *exported,
                     bool keep_times, struct error *error);

/* Serve as the first thread until *STOP is not 0, as server_run() says. */
int thread_pool_run(struct thread_pool *pool, const volatile sig_atomic_t *stop,
                    struct error *error);

/* Stop the threads and close all connections. */
void thread_pool_close(struct thread_pool *pool);

/* The connections of one thread (streams.c): accepted, served in turns, dropped. */

/* LISTENER has a new connection: accept it and hand it to the next thread in turn. */
void streams_accept(struct server_thread *thread, const struct watched *listener);

/* Handle EVENTS of epoll for STREAM, which may no longer exist afterwards. */
void streams_serve(struct server_thread *thread, struct stream *stream, uint32_t events);

/* Send the delayed REPLY to its connection. */
void streams_send_delayed(struct server_thread *thread, const struct delayed_reply *reply);

/* The number of milliseconds until streams_see_to_waits() has something to do; -1: nothing until
 * another turn. */
int streams_idle_ms(const struct server_thread *thread);

/* Resume connections that waited for memory, and close those that have owed something for too long,
 * or are idle where such are closed. */
void streams_see_to_waits(struct server_thread *thread);

/* Close all connections. */
void streams_close(struct server_thread *thread);
