#include "serve/transport/thread_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common/descriptors.h"
#include "common/signals.h"
#include "common/system_clock.h"
#include "common/thread.h"
#include "serve/programs/programs.h"

enum {
    EVENTS_AT_ONCE = 64,
    /* maximum of connections accepted from each listener in a turn; more wait for the next turn */
    ACCEPTED_AT_ONCE = 64,
    /* maximum of connections resumed in a turn after they waited for memory */
    RESUMED_AT_ONCE = 64,
    RESUMED_NS = 1000000, /* time limit for resuming connections in a turn, in ns */
    /* If a turn has lasted longer (in ns), its further calls over TCP wait for a later turn if they
     * may have long replies. */
    CROWDED_NS = 10000000,
    /* number of turns between two checks for pending signals, which take 0.2 us each */
    TURNS_BETWEEN_SIGNALS = 64,
};

static void close_descriptor(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* Call epoll_ctl() with OPERATION for WATCHED and EVENTS. Returns 0 or a negative errno. */
static int watch(struct server_thread *thread, int operation, struct watched *watched,
                 uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = watched};

    return epoll_ctl(thread->epoll, operation, watched->fd, &event) == 0 ? 0 : -errno;
}

/* A thread's connections */

static void drop_stream(struct server_thread *thread, struct stream *stream)
{
    delayed_forget(&thread->service.delayed, stream);
    timeouts_forget(stream);
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

/* Give STREAM to THREAD, or close it if it can't be served; any thread may call this function.
 * THREAD may serve STREAM at once, but can't close it before STREAMS_LOCK is released. */
static void hand_over(struct server_thread *thread, struct stream *stream)
{
    bool watched;

    pthread_mutex_lock(&thread->pool->streams_lock);
    watched = may_take(thread) && watch(thread, EPOLL_CTL_ADD, &stream->watched, EPOLLIN) == 0;
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

/* Refuse a connection when there is no free descriptor: accept it by means of the spare descriptor,
 * and close it. Otherwise the connection would wake the threads again and again. */
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

/* Accept a connection, and give it to the next thread in turn. Returns false if accept4() fails. */
static bool accept_stream(struct server_thread *thread, const struct watched *listener)
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
    return fd >= 0;
}

/* Finish a turn of STREAM. Close STREAM if CODE is not 0. BEFORE: the epoll events that are watched
 * for STREAM so far. */
static void end_turn(struct server_thread *thread, struct stream *stream, uint32_t before, int code)
{
    uint32_t events;

    if (code == 0) {
        timeouts_note(&thread->timeouts, stream, &thread->service.exported->budget);
        events = stream_events(stream);
        if (events != before)
            code = watch(thread, EPOLL_CTL_MOD, &stream->watched, events);
    }
    if (code)
        drop_stream(thread, stream);
}

/* Handle EVENTS of epoll for STREAM, which may be freed. */
static void serve_stream(struct server_thread *thread, struct stream *stream, uint32_t events)
{
    bool was_blocked = stream_is_blocked(stream);
    uint32_t before = stream_events(stream);
    int code = was_blocked ? stream_writable(stream, &thread->service, &thread->scratch)
                           : stream_readable(stream, &thread->service, &thread->scratch);

    if (code == 0 && was_blocked && (events & (EPOLLERR | EPOLLHUP)) && stream_is_blocked(stream))
        code = -1;
    end_turn(thread, stream, before, code);
}

static void send_delayed(struct server_thread *thread, const struct delayed_reply *reply)
{
    struct stream *stream = reply->stream;
    uint32_t before = stream_events(stream);
    int code = stream_send_delayed(stream, &thread->service, reply->bytes, reply->length);

    if (code == 0 && before == 0) /* requests may have waited until delayed replies were sent */
        code = stream_writable(stream, &thread->service, &thread->scratch);
    end_turn(thread, stream, before, code);
}

/* Resume some of the connections that wait for memory. No epoll events are watched for them. */
static void resume_some(struct server_thread *thread)
{
    struct budget *budget = &thread->service.exported->budget;
    const uint64_t end = monotonic_ns() + RESUMED_NS;
    struct stream *stream;

    for (int i = 0; i < RESUMED_AT_ONCE && monotonic_ns() < end; i++) {
        stream = timeouts_next(&thread->timeouts, budget);
        if (!stream)
            break;
        end_turn(thread, stream, 0, stream_resume(stream, &thread->service, &thread->scratch));
    }
}

/* Resume connections that waited for memory; close connections whose time limit has passed, and the
 * oldest handshakes if there are too many. */
static void see_to_waits(struct server_thread *thread)
{
    struct stream *stream;
    uint64_t now;

    if (timeouts_any_waits(&thread->timeouts))
        resume_some(thread);
    if (!thread->timeouts.owing.first && !thread->timeouts.shaking.first)
        return;
    now = monotonic_coarse_ns();
    while ((stream = timeouts_overdue(&thread->timeouts, now))) {
        stream_close_by_reset(stream);
        drop_stream(thread, stream);
    }
}

static void close_streams(struct server_thread *thread)
{
    while (thread->streams)
        drop_stream(thread, thread->streams);
}

/* Delayed replies */

static void send_due(struct server_thread *thread)
{
    struct delayed_reply *reply;

    while ((reply = delayed_take(&thread->service.delayed, monotonic_ns()))) {
        if (reply->stream)
            send_delayed(thread, reply);
        else
            datagram_send_delayed(reply);
        free(reply);
    }
}

static void set_timer(struct server_thread *thread, uint64_t due_ns)
{
    struct itimerspec due = {.it_value = system_clock_timespec(due_ns)};

    timerfd_settime(thread->timer.fd, TFD_TIMER_ABSTIME, &due, NULL);
}

static void see_to_delayed(struct server_thread *thread)
{
    uint64_t first = delayed_first_due(&thread->service.delayed);

    if (first == 0)
        return;
    send_due(thread);
    set_timer(thread, delayed_first_due(&thread->service.delayed));
}

/* Waiting */

/* Handle EVENT. Returns true if the thread must end. */
static bool serve_event(struct server_thread *thread, const struct epoll_event *event)
{
    struct watched *watched = event->data.ptr;
    uint64_t expirations;

    switch (watched->kind) {
    case WATCHED_LISTENER:
        for (int i = 0; i < ACCEPTED_AT_ONCE; i++)
            if (!accept_stream(thread, watched))
                break;
        break;
    case WATCHED_DATAGRAMS:
        thread->service.without_costs = watched->without_costs;
        datagram_readable(watched->fd, &thread->service, &thread->datagrams,
                          thread->scratch.output);
        break;
    case WATCHED_STREAM: /* WATCHED is the first member of a struct stream */
        serve_stream(thread, (struct stream *)watched, event->events);
        break;
    case WATCHED_TIMER:
        (void)!read(watched->fd, &expirations, sizeof expirations);
        break;
    case WATCHED_END:
        return true;
    }
    return false;
}

/* Wait once, and handle events, delayed replies and waiting connections. During the wait, SIGNALS
 * replaces the signal mask, unless SIGNALS is NULL. Returns 0, 1 if the thread must end, or a
 * negative errno. */
static int take_turn(struct server_thread *thread, const sigset_t *signals)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_pwait(thread->epoll, events, EVENTS_AT_ONCE,
                            timeouts_idle_ms(&thread->timeouts, &thread->service.exported->budget),
                            signals);
    uint64_t crowded_at = monotonic_coarse_ns() + CROWDED_NS;
    bool end = false;

    if (count < 0 && errno != EINTR)
        return -errno;
    thread->service.crowded = timeouts_any_waits(&thread->timeouts);
    for (int i = 0; i < count; i++) {
        end = serve_event(thread, &events[i]) || end;
        thread->service.crowded = thread->service.crowded || monotonic_coarse_ns() > crowded_at;
    }
    see_to_delayed(thread);
    see_to_waits(thread);
    return end;
}

static void *run_thread(void *context)
{
    while (take_turn(context, NULL) == 0)
        ;
    return NULL;
}

/* Let pending signals that are not in WAITING be handled. epoll_pwait() delivers signals only if it
 * must wait, which may never happen under load. */
static void let_signals_in(const sigset_t *waiting)
{
    sigset_t working;

    pthread_sigmask(SIG_SETMASK, waiting, &working);
    pthread_sigmask(SIG_SETMASK, &working, NULL);
}

int thread_pool_run(struct thread_pool *pool, const volatile sig_atomic_t *stop,
                    struct error *error)
{
    sigset_t waiting, ending;

    sigemptyset(&ending);
    signals_add_ending(&ending);
    pthread_sigmask(SIG_BLOCK, NULL, &waiting);
    for (int number = 1; number <= SIGRTMAX; number++)
        if (sigismember(&ending, number))
            sigdelset(&waiting, number);
    for (unsigned turn = 1; !*stop; turn++) {
        int code = take_turn(pool->threads[0], &waiting);

        if (code < 0)
            return error_set(error, ERROR_FAILED, code, "epoll_pwait: %s", strerror(-code));
        if (turn % TURNS_BETWEEN_SIGNALS == 0)
            let_signals_in(&waiting);
    }
    return 0;
}

/* Opening and closing */

/* Watch the thread's descriptors and the common sockets. An event of a common socket need not wake
 * all threads. */
static int watch_all(struct server_thread *thread)
{
    struct sockets *sockets = &thread->pool->sockets;
    int code = watch(thread, EPOLL_CTL_ADD, &thread->timer, EPOLLIN);

    if (code == 0)
        code = watch(thread, EPOLL_CTL_ADD, &thread->end, EPOLLIN);
    for (size_t i = 0; i < sockets->count && code == 0; i++)
        code = watch(thread, EPOLL_CTL_ADD, &sockets->list[i], EPOLLIN | EPOLLEXCLUSIVE);
    return code;
}

/* Return how many datagrams one of COUNT threads may receive at once: an equal share, at least one;
 * one if costs are long, so that a request does not wait here while another thread is free. */
static size_t share_of_datagrams(const struct exported *exported, size_t count)
{
    return exported->longest_cost_ns > COST_IN_BATCH_NS || count > DATAGRAMS_AT_ONCE
               ? 1
               : DATAGRAMS_AT_ONCE / count;
}

/* Return a thread's maximum of handshakes, at least 1. Handshakes of all threads get half of the
 * memory; the other half is for other connections. */
static size_t share_of_handshakes(const struct exported *exported, size_t count)
{
    size_t share = exported->budget.limit / 2 / STREAM_TLS_MEMORY / count;

    return share ? share : 1;
}

/* Return a thread's maximum of favoured connections whose peers have read all replies; 0 means 1.
 * Over all threads, their longest replies may use a quarter of the memory. */
static size_t share_of_readers(const struct exported *exported, size_t count)
{
    return exported->budget.limit / 4 / DISPATCH_REPLY_MAXIMUM / count;
}

static int open_thread(struct server_thread *thread, struct exported *exported, bool keep_times)
{
    struct service *service = &thread->service;

    service->exported = exported;
    service->delayed.budget = &exported->budget;
    service->gather.minimum = GATHER_LENGTH_MINIMUM;
    thread->timeouts.limit_ns = exported->stall_ns;
    random_seed(&service->random, random_system_seed());
    pthread_mutex_init(&service->times_lock, NULL);
    if (keep_times)
        service->times = calloc(NFS_PROCEDURES, sizeof *service->times);
    thread->epoll = epoll_create1(EPOLL_CLOEXEC);
    thread->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    thread->timer = (struct watched){
        .kind = WATCHED_TIMER, .fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)};
    thread->end =
        (struct watched){.kind = WATCHED_END, .fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    if (keep_times && !service->times)
        return -ENOMEM;
    if (thread->epoll < 0 || thread->timer.fd < 0 || thread->end.fd < 0)
        return -EMFILE;
    return watch_all(thread);
}

/* Start THREAD with all signals blocked, because only the first thread handles signals. */
static int start_thread(struct server_thread *thread)
{
    int code = thread_start_without_signals(&thread->id, run_thread, thread);

    thread->has_thread = code == 0;
    return code;
}

static int add_thread(struct thread_pool *pool, struct exported *exported, bool keep_times,
                      size_t count)
{
    struct server_thread *thread = calloc(1, sizeof *thread);

    if (!thread)
        return -ENOMEM;
    thread->pool = pool;
    thread->epoll = thread->spare = thread->timer.fd = thread->end.fd = -1;
    thread->datagrams.share = share_of_datagrams(exported, count);
    thread->timeouts.readers.places = share_of_readers(exported, count);
    thread->timeouts.shaking_maximum = share_of_handshakes(exported, count);
    pool->threads[pool->count++] = thread;
    return open_thread(thread, exported, keep_times);
}

/* Refuse to start a server that has too few file descriptors for connections. */
static int check_descriptors(size_t threads, struct error *error)
{
    enum { CONNECTIONS_MINIMUM = 4 };

    if (descriptors_left() >= CONNECTIONS_MINIMUM)
        return 0;
    return error_set(error, ERROR_FAILED, -EMFILE,
                     "the server's sockets and %zu threads leave no file descriptors for "
                     "connections; this process may have %llu open (RLIMIT_NOFILE): raise the "
                     "limit ('ulimit -n'), or lower --threads",
                     threads, descriptors_limit());
}

/* Threads start after all structures are made, because a connection may be given to any of them. */
int thread_pool_open(struct thread_pool *pool, size_t count, struct exported *exported,
                     bool keep_times, struct error *error)
{
    int code;

    pthread_mutex_init(&pool->streams_lock, NULL);
    pthread_mutex_init(&pool->accept_lock, NULL);
    pool->threads = calloc(count, sizeof *pool->threads);
    code = pool->threads ? 0 : -ENOMEM;
    for (size_t i = 0; i < count && code == 0; i++)
        code = add_thread(pool, exported, keep_times, count);
    if ((code == -EMFILE || code == 0) && check_descriptors(count, error) != 0)
        return -EMFILE;
    for (size_t i = 1; i < count && code == 0; i++)
        code = start_thread(pool->threads[i]);
    if (code)
        return error_set(error, ERROR_FAILED, code, "starting the server's %zu threads: %s", count,
                         strerror(-code));
    return 0;
}

static void close_thread(struct server_thread *thread)
{
    close_streams(thread);
    close_descriptor(thread->epoll);
    close_descriptor(thread->spare);
    close_descriptor(thread->timer.fd);
    close_descriptor(thread->end.fd);
    delayed_free(&thread->service.delayed);
    if (thread->service.exported->gss)
        free(thread->service.gss.bytes);
    pthread_mutex_destroy(&thread->service.times_lock);
    free(thread->service.times);
    free(thread);
}

void thread_pool_close(struct thread_pool *pool)
{
    const uint64_t one = 1;

    for (size_t i = 0; i < pool->count; i++)
        if (pool->threads[i]->has_thread)
            (void)!write(pool->threads[i]->end.fd, &one, sizeof one);
    for (size_t i = 0; i < pool->count; i++)
        if (pool->threads[i]->has_thread)
            pthread_join(pool->threads[i]->id, NULL);
    while (pool->count > 0)
        close_thread(pool->threads[--pool->count]);
    free(pool->threads);
    pthread_mutex_destroy(&pool->streams_lock);
    pthread_mutex_destroy(&pool->accept_lock);
}
