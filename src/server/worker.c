#include "server/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "common/monotonic.h"
#include "server/nfs.h"
#include "server/streams.h"

enum {
    EVENTS_AT_ONCE = 64,
    TURNS_BETWEEN_SIGNALS = 64, /* accepting them costs 0.2 us, which is then 3 ns a call */
};

static void close_descriptor(int fd)
{
    if (fd >= 0)
        close(fd);
}

int worker_watch(struct worker *worker, int operation, struct watched *watched, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = watched};

    return epoll_ctl(worker->epoll, operation, watched->fd, &event) == 0 ? 0 : -errno;
}

/* Delayed replies */

static void send_due(struct worker *worker)
{
    struct delayed_reply *reply;

    while ((reply = delayed_take(&worker->service.delayed, monotonic_ns()))) {
        if (reply->stream)
            streams_send_delayed(worker, reply);
        else
            datagram_send_delayed(reply);
        free(reply);
    }
}

static void set_timer(struct worker *worker, uint64_t due_ns)
{
    struct itimerspec due = {.it_value = {.tv_sec = (time_t)(due_ns / 1000000000),
                                          .tv_nsec = (long)(due_ns % 1000000000)}};

    timerfd_settime(worker->timer.fd, TFD_TIMER_ABSTIME, &due, NULL);
}

static void see_to_delayed(struct worker *worker)
{
    uint64_t first = delayed_first_due(&worker->service.delayed);

    if (first == 0)
        return;
    send_due(worker);
    set_timer(worker, delayed_first_due(&worker->service.delayed));
}

/* Waiting */

/* True when the thread is to end. */
static bool serve_event(struct worker *worker, const struct epoll_event *event)
{
    struct watched *watched = event->data.ptr;
    uint64_t expirations;

    switch (watched->kind) {
    case WATCHED_LISTENER:
        streams_accept(worker, watched->fd);
        break;
    case WATCHED_DATAGRAMS:
        datagram_readable(watched->fd, &worker->service, worker->datagram, worker->scratch.output);
        break;
    case WATCHED_STREAM: /* the first member of its stream */
        streams_serve(worker, (struct stream *)watched, event->events);
        break;
    case WATCHED_TIMER:
        (void)!read(watched->fd, &expirations, sizeof expirations);
        break;
    case WATCHED_END:
        return true;
    }
    return false;
}

/* Wait once, and handle the events. SIGNALS: those that are not let in, or NULL. 0, 1 when the
 * thread must end, or a negative errno. */
static int take_turn(struct worker *worker, const sigset_t *signals)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_pwait(worker->epoll, events, EVENTS_AT_ONCE,
                            patience_idle_ms(&worker->patience), signals);
    bool end = false;

    if (count < 0 && errno != EINTR)
        return -errno;
    for (int i = 0; i < count; i++)
        end = serve_event(worker, &events[i]) || end;
    see_to_delayed(worker);
    streams_see_to_waits(worker);
    return end;
}

static void *run_thread(void *context)
{
    while (take_turn(context, NULL) == 0)
        ;
    return NULL;
}

/* epoll_pwait() lets signals in only when it has to wait, which under load it may never do. */
static void let_signals_in(const sigset_t *waiting)
{
    sigset_t working;

    pthread_sigmask(SIG_SETMASK, waiting, &working);
    pthread_sigmask(SIG_SETMASK, &working, NULL);
}

int pool_run(struct pool *pool, const volatile sig_atomic_t *stop, struct error *error)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
    sigset_t waiting;

    pthread_sigmask(SIG_BLOCK, NULL, &waiting);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigdelset(&waiting, numbers[i]);
    for (unsigned turn = 1; !*stop; turn++) {
        int code = take_turn(pool->workers[0], &waiting);

        if (code < 0)
            return error_set(error, ERROR_FAILED, code, "epoll_pwait: %s", strerror(-code));
        if (turn % TURNS_BETWEEN_SIGNALS == 0)
            let_signals_in(&waiting);
    }
    return 0;
}

/* Opening and closing */

/* All threads wait for the common sockets; the kernel wakes one of them. */
static int watch_all(struct worker *worker)
{
    struct sockets *sockets = &worker->pool->sockets;
    int code = worker_watch(worker, EPOLL_CTL_ADD, &worker->timer, EPOLLIN);

    if (code == 0)
        code = worker_watch(worker, EPOLL_CTL_ADD, &worker->end, EPOLLIN);
    for (size_t i = 0; i < sockets->count && code == 0; i++)
        code = worker_watch(worker, EPOLL_CTL_ADD, &sockets->list[i], EPOLLIN | EPOLLEXCLUSIVE);
    return code;
}

static int open_worker(struct worker *worker, struct exported *exported, bool keep_times)
{
    struct service *service = &worker->service;

    service->exported = exported;
    service->delayed.budget = &exported->budget;
    worker->patience.limit_ns = exported->stall_ns;
    random_seed(&service->random, random_system_seed());
    pthread_mutex_init(&service->times_lock, NULL);
    if (keep_times)
        service->times = calloc(NFS_PROCEDURES, sizeof *service->times);
    worker->epoll = epoll_create1(EPOLL_CLOEXEC);
    worker->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    worker->timer = (struct watched){WATCHED_TIMER,
                                     timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)};
    worker->end = (struct watched){WATCHED_END, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    if (keep_times && !service->times)
        return -ENOMEM;
    if (worker->epoll < 0 || worker->timer.fd < 0 || worker->end.fd < 0)
        return -EMFILE;
    return watch_all(worker);
}

static int start_thread(struct worker *worker)
{
    sigset_t all, before;
    int code;

    sigfillset(&all); /* signals are for the first thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&worker->thread, NULL, run_thread, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    worker->has_thread = code == 0;
    return -code;
}

static int add_worker(struct pool *pool, struct exported *exported, bool keep_times)
{
    struct worker *worker = calloc(1, sizeof *worker);

    if (!worker)
        return -ENOMEM;
    worker->pool = pool;
    worker->epoll = worker->spare = worker->timer.fd = worker->end.fd = -1;
    pool->workers[pool->count++] = worker;
    return open_worker(worker, exported, keep_times);
}

/* Threads start only when all workers exist, because connections are handed to any of them. */
int pool_open(struct pool *pool, size_t count, struct exported *exported, bool keep_times,
              struct error *error)
{
    int code;

    pthread_mutex_init(&pool->streams_lock, NULL);
    pthread_mutex_init(&pool->accept_lock, NULL);
    pool->workers = calloc(count, sizeof *pool->workers);
    code = pool->workers ? 0 : -ENOMEM;
    for (size_t i = 0; i < count && code == 0; i++)
        code = add_worker(pool, exported, keep_times);
    for (size_t i = 1; i < count && code == 0; i++)
        code = start_thread(pool->workers[i]);
    if (code)
        return error_set(error, ERROR_FAILED, code, "starting the server's %zu threads: %s", count,
                         strerror(-code));
    return 0;
}

static void close_worker(struct worker *worker)
{
    streams_close(worker);
    close_descriptor(worker->epoll);
    close_descriptor(worker->spare);
    close_descriptor(worker->timer.fd);
    close_descriptor(worker->end.fd);
    delayed_free(&worker->service.delayed);
    pthread_mutex_destroy(&worker->service.times_lock);
    free(worker->service.times);
    free(worker);
}

void pool_close(struct pool *pool)
{
    const uint64_t one = 1;

    for (size_t i = 0; i < pool->count; i++)
        if (pool->workers[i]->has_thread)
            (void)!write(pool->workers[i]->end.fd, &one, sizeof one);
    for (size_t i = 0; i < pool->count; i++)
        if (pool->workers[i]->has_thread)
            pthread_join(pool->workers[i]->thread, NULL);
    while (pool->count > 0)
        close_worker(pool->workers[--pool->count]);
    free(pool->workers);
    pthread_mutex_destroy(&pool->streams_lock);
    pthread_mutex_destroy(&pool->accept_lock);
}
