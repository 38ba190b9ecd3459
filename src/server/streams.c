#include "server/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { RESUMED_AT_ONCE = 64 }; /* so that others have their turns, too */

static void drop_stream(struct worker *worker, struct stream *stream)
{
    delayed_forget(&worker->service.delayed, stream);
    patience_forget(&worker->patience, stream);
    pthread_mutex_lock(&worker->pool->streams_lock);
    if (stream->previous)
        stream->previous->next = stream->next;
    else
        worker->streams = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    pthread_mutex_unlock(&worker->pool->streams_lock);
    stream_close(stream, &worker->service);
}

/* Give WORKER a connection, from whichever thread. WORKER may serve it at once, but can't drop it
 * before the lock is released. */
static void hand_over(struct worker *worker, struct stream *stream)
{
    bool watched;

    pthread_mutex_lock(&worker->pool->streams_lock);
    watched = worker_watch(worker, EPOLL_CTL_ADD, &stream->watched, EPOLLIN) == 0;
    if (watched) {
        stream->next = worker->streams;
        if (worker->streams)
            worker->streams->previous = stream;
        worker->streams = stream;
    }
    pthread_mutex_unlock(&worker->pool->streams_lock);
    if (!watched)
        stream_close(stream, &worker->service);
}

static void add_stream(struct pool *pool, int fd, const struct sockaddr_storage *peer)
{
    unsigned turn = atomic_fetch_add_explicit(&pool->next_turn, 1, memory_order_relaxed);
    struct stream *stream = calloc(1, sizeof *stream);
    int one = 1;

    if (!stream) {
        close(fd);
        return;
    }
    stream->watched = (struct watched){WATCHED_STREAM, fd};
    stream->peer = *peer;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    hand_over(pool->workers[turn % pool->count], stream);
}

/* When there are no descriptors left, a connection that waits would wake us for ever: give up the
 * spare descriptor to accept it, and close it. */
static void turn_away(struct worker *worker, int listener)
{
    int fd;

    if (worker->spare >= 0)
        close(worker->spare);
    fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    worker->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void streams_accept(struct worker *worker, int listener)
{
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    int fd;

    pthread_mutex_lock(&worker->pool->accept_lock);
    fd = accept4(listener, (struct sockaddr *)&peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
        turn_away(worker, listener);
    pthread_mutex_unlock(&worker->pool->accept_lock);
    if (fd >= 0)
        add_stream(worker->pool, fd, &peer);
}

/* Its turn, which returned CODE, is over; it had waited for the events BEFORE. */
static void end_turn(struct worker *worker, struct stream *stream, uint32_t before, int code)
{
    uint32_t events;

    if (code == 0) {
        patience_note(&worker->patience, stream, &worker->service.exported->budget);
        events = stream_events(stream);
        if (events != before)
            code = worker_watch(worker, EPOLL_CTL_MOD, &stream->watched, events);
    }
    if (code)
        drop_stream(worker, stream);
}

void streams_serve(struct worker *worker, struct stream *stream, uint32_t events)
{
    bool was_blocked = stream_is_blocked(stream);
    uint32_t before = stream_events(stream);
    int code = was_blocked ? stream_writable(stream, &worker->service, &worker->scratch)
                           : stream_readable(stream, &worker->service, &worker->scratch);

    if (code == 0 && was_blocked && (events & (EPOLLERR | EPOLLHUP)) && stream_is_blocked(stream))
        code = -1;
    end_turn(worker, stream, before, code);
}

void streams_send_delayed(struct worker *worker, const struct delayed_reply *reply)
{
    struct stream *stream = reply->stream;
    uint32_t before = stream_events(stream);
    int code = stream_send_delayed(stream, &worker->service, reply->bytes, reply->length);

    if (code == 0 && before == 0) /* requests may have waited for room */
        code = stream_writable(stream, &worker->service, &worker->scratch);
    end_turn(worker, stream, before, code);
}

/* A connection that waits for memory is watched for no events. */
static void resume_some(struct worker *worker)
{
    struct budget *budget = &worker->service.exported->budget;
    struct stream *stream;

    for (int i = 0; i < RESUMED_AT_ONCE; i++) {
        stream = patience_next(&worker->patience, budget);
        if (!stream)
            break;
        end_turn(worker, stream, 0, stream_resume(stream, &worker->service, &worker->scratch));
    }
}

void streams_see_to_waits(struct worker *worker)
{
    struct stream *stream;
    uint64_t now;

    if (worker->patience.waiting.first)
        resume_some(worker);
    if (!worker->patience.owing.first)
        return;
    now = patience_now();
    while ((stream = patience_overdue(&worker->patience, now))) {
        stream_close_by_reset(stream);
        drop_stream(worker, stream);
    }
}

void streams_close(struct worker *worker)
{
    while (worker->streams)
        drop_stream(worker, worker->streams);
}
