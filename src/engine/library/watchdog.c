#include "engine/library/watchdog.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "common/system_clock.h"
#include "measure/clock.h"

enum {
    LOOK_NS = 50 * 1000 * 1000,
    /* Interval between checks while a call is slow, which means that it lasts for two checks. Few
     * bytes then arrive between checks. If no call is slow, every second interval has this length
     * and the other ones have LOOK_NS. */
    CLOSER_LOOK_NS = 5 * 1000 * 1000,
};

/* One thread watches all sockets. Once started it never ends; it sleeps if there are no sockets. */
static struct {
    pthread_mutex_t mutex; /* protects this structure, and members of every struct watchdog_watch */
    pthread_cond_t changed;
    bool runs;
    struct watchdog_watch *first;
} watchdog = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static uint64_t bytes_received(int fd)
{
    struct tcp_info info;
    socklen_t length = sizeof info;

    memset(&info, 0, sizeof info);
    getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length);
    return info.tcpi_bytes_received;
}

static void shut_socket_down(struct watchdog_watch *watch, enum watchdog_bite why)
{
    atomic_store_explicit(&watch->bite, why, memory_order_relaxed);
    shutdown(watch->fd, SHUT_RDWR);
}

/* Shut the socket of WATCH down if a limit is exceeded or a stop is requested. Returns whether one
 * wait has lasted since the previous check. */
static bool check_socket(struct watchdog_watch *watch, uint64_t now)
{
    uint64_t turns = atomic_load_explicit(&watch->turns, memory_order_relaxed);

    if (turns % 2 == 0 || watchdog_bite(watch) != WATCHDOG_CALM)
        return false;
    if (watch->limits.stop && __atomic_load_n(watch->limits.stop, __ATOMIC_RELAXED)) {
        shut_socket_down(watch, WATCHDOG_STOPPED);
    } else if (turns != watch->seen_turns) {
        watch->seen_turns = turns;
        watch->seen_ns = now;
        watch->seen_bytes = bytes_received(watch->fd);
        return false;
    } else if (now - watch->seen_ns > watch->limits.time_ns) {
        shut_socket_down(watch, WATCHDOG_TOO_LONG);
    } else if (bytes_received(watch->fd) - watch->seen_bytes > watch->limits.bytes) {
        shut_socket_down(watch, WATCHDOG_TOO_MUCH);
    }
    return true;
}

/* Sleep until a socket is added or, if one is watched, NANOSECONDS have passed. */
static void sleep_for(uint64_t nanoseconds)
{
    struct timespec until;

    if (!watchdog.first) {
        pthread_cond_wait(&watchdog.changed, &watchdog.mutex);
        return;
    }
    until = monotonic_after(nanoseconds);
    pthread_cond_clockwait(&watchdog.changed, &watchdog.mutex, CLOCK_MONOTONIC, &until);
}

/* The watchdog's thread. It handles signals, because libtirpc blocks them in other threads during a
 * call. From the second check of a wait until the wait ends, the thread checks more often. */
static void *keep_watch(void *unused)
{
    bool closer = false;
    sigset_t none;

    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    pthread_mutex_lock(&watchdog.mutex);
    for (;;) {
        uint64_t now = clock_raw_ns();
        bool slow = false;

        for (struct watchdog_watch *watch = watchdog.first; watch; watch = watch->next)
            slow |= check_socket(watch, now);
        closer = slow || !closer;
        sleep_for(closer ? CLOSER_LOOK_NS : LOOK_NS);
    }
    return unused;
}

static int start_thread(void)
{
    pthread_attr_t detached;
    pthread_t thread;
    int code;

    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    code = pthread_create(&thread, &detached, keep_watch, NULL);
    pthread_attr_destroy(&detached);
    return code;
}

static void take_into_list(struct watchdog_watch *watch)
{
    watch->next = watchdog.first;
    watch->link = &watchdog.first;
    if (watch->next)
        watch->next->link = &watch->next;
    watchdog.first = watch;
}

int watchdog_watch(struct watchdog_watch *watch, int fd, const struct watchdog_limits *limits,
                   struct error *error)
{
    int code = 0;

    *watch = (struct watchdog_watch){.fd = fd, .limits = *limits};
    pthread_mutex_lock(&watchdog.mutex);
    if (!watchdog.runs)
        code = start_thread();
    watchdog.runs = code == 0;
    if (code == 0)
        take_into_list(watch);
    pthread_cond_signal(&watchdog.changed);
    pthread_mutex_unlock(&watchdog.mutex);
    return code ? error_set(error, ERROR_FAILED, -code, "starting a thread: %s", strerror(code))
                : 0;
}

void watchdog_release(struct watchdog_watch *watch)
{
    if (!watch->link)
        return;
    pthread_mutex_lock(&watchdog.mutex);
    *watch->link = watch->next;
    if (watch->next)
        watch->next->link = watch->link;
    watch->link = NULL;
    pthread_mutex_unlock(&watchdog.mutex);
}
