#include "server/thread_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { RESUMED_AT_ONCE = 64 }; /* connections; the others then have their turns */
static void drop_stream(struct server_thread *thread, struct stream *stream)
{
    delayed_forget(&thread->service.delayed, stream);
    patience_forget(&thread->patience, stream);
    pthread_mutex_lock(&thread->pool->streams_lock);
    if (stream->previous)
        stream->previous->next = stream->next;
    else
        thread->streams = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    thread->pool->stream_count--;
    pthread_mutex_unlock(&thread->pool->streams_lock);
    stream_close(stream, &thread->service);
}

static bool may_take(const struct server_thread *thread)
{
    return !(thread->service.exported->policy.habits & HABIT_FEW_CONNECTIONS) ||
           thread->pool->stream_count < HABIT_CONNECTIONS;
}

/* Give THREAD a connection; may be called by any thread. THREAD may serve it at once, but can't
 * close it before the lock is released. */
static void hand_over(struct server_thread *thread, struct stream *stream)
{
    bool watched;

    pthread_mutex_lock(&thread->pool->streams_lock);
    watched = may_take(thread) &&
              server_thread_watch(thread, EPOLL_CTL_ADD, &stream->watched, EPOLLIN) == 0;
    if (watched) {
        thread->pool->stream_count++;
        stream->next = thread->streams;
        if (thread->streams)
            thread->streams->previous = stream;
        thread->streams = stream;
    }
    pthread_mutex_unlock(&thread->pool->streams_lock);
    if (!watched)
        stream_close(stream, &thread->service);
}

static void add_stream(struct thread_pool *pool, const struct watched *listener, int fd,
                       const struct sockaddr_storage *peer)
{
    unsigned turn = atomic_fetch_add_explicit(&pool->next_turn, 1, memory_order_relaxed);
    struct stream *stream = calloc(1, sizeof *stream);
    int one = 1;

    if (!stream) {
        close(fd);
        return;
    }
    stream->watched = (struct watched){WATCHED_STREAM, fd, listener->without_costs};
    stream->peer = *peer;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    hand_over(pool->threads[turn % pool->count], stream);
}

/* Without a free descriptor, a connection that waits to be accepted would wake the threads again
 * and again: so give up the spare descriptor to accept it, and close it. */
static void turn_away(struct server_thread *thread, int listener)
{
    int fd;

    if (thread->spare >= 0)
        close(thread->spare);
    fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    thread->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void streams_accept(struct server_thread *thread, const struct watched *listener)
{
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    int fd;

    pthread_mutex_lock(&thread->pool->accept_lock);
    fd = accept4(listener->fd, (struct sockaddr *)&peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
        turn_away(thread, listener->fd);
    pthread_mutex_unlock(&thread->pool->accept_lock);
    if (fd >= 0)
        add_stream(thread->pool, listener, fd, &peer);
}

/* The turn of STREAM has ended and returned CODE; before, it waited for the events BEFORE. */
static void end_turn(struct server_thread *thread, struct stream *stream, uint32_t before, int code)
{
    uint32_t events;

    if (code == 0) {
        patience_note(&thread->patience, stream, &thread->service.exported->budget);
        events = stream_events(stream);
        if (events != before)
            code = server_thread_watch(thread, EPOLL_CTL_MOD, &stream->watched, events);
    }
    if (code)
        drop_stream(thread, stream);
}

void streams_serve(struct server_thread *thread, struct stream *stream, uint32_t events)
{
    bool was_blocked = stream_is_blocked(stream);
    uint32_t before = stream_events(stream);
    int code = was_blocked ? stream_writable(stream, &thread->service, &thread->scratch)
                           : stream_readable(stream, &thread->service, &thread->scratch);

    if (code == 0 && was_blocked && (events & (EPOLLERR | EPOLLHUP)) && stream_is_blocked(stream))
        code = -1;
    end_turn(thread, stream, before, code);
}

void streams_send_delayed(struct server_thread *thread, const struct delayed_reply *reply)
{
    struct stream *stream = reply->stream;
    uint32_t before = stream_events(stream);
    int code = stream_send_delayed(stream, &thread->service, reply->bytes, reply->length);

    if (code == 0 && before == 0) /* requests may have waited for the delayed replies */
        code = stream_writable(stream, &thread->service, &thread->scratch);
    end_turn(thread, stream, before, code);
}

/* While a connection waits for memory, no events are watched for it. */
static void resume_some(struct server_thread *thread)
{
    struct budget *budget = &thread->service.exported->budget;
    struct stream *stream;

    for (int i = 0; i < RESUMED_AT_ONCE; i++) {
        stream = patience_next(&thread->patience, budget);
        if (!stream)
            break;
        end_turn(thread, stream, 0, stream_resume(stream, &thread->service, &thread->scratch));
    }
}

int streams_idle_ms(const struct server_thread *thread)
{
    return patience_idle_ms(&thread->patience);
}

void streams_see_to_waits(struct server_thread *thread)
{
    struct stream *stream;
    uint64_t now;

    if (thread->patience.waiting.first)
        resume_some(thread);
    if (!thread->patience.owing.first && !thread->patience.shaking.first)
        return;
    now = patience_now();
    while ((stream = patience_overdue(&thread->patience, now))) {
        stream_close_by_reset(stream);
        drop_stream(thread, stream);
    }
}

void streams_close(struct server_thread *thread)
{
    while (thread->streams)
        drop_stream(thread, thread->streams);
}
