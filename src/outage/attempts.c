#include "outage/attempts.h"

#include <unistd.h>

void attempts_open(struct attempts *attempts, unsigned count, uint64_t pause_ns)
{
    *attempts = (struct attempts){.count = count, .pause_ns = pause_ns};
    for (unsigned i = 0; i < ATTEMPTS_MAXIMUM; i++)
        attempts->fds[i] = -1;
}

static void give_up(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void attempts_stop(struct attempts *attempts)
{
    for (unsigned i = 0; i < attempts->count; i++)
        give_up(&attempts->fds[i]);
}

/* Check the attempt with the socket *FD (-1: no attempt). If it has connected, returns the socket,
 * else -1. If it has failed, closes the socket and sets *FAILURE to a negative errno. *FD is -1
 * afterwards unless the attempt continues. */
static int take_socket(int *fd, struct endpoint *endpoint, int *failure)
{
    struct pollfd poller = {.fd = *fd, .events = POLLOUT};
    int taken = *fd, code;

    if (*fd < 0 || poll(&poller, 1, 0) <= 0)
        return -1;
    code = endpoint_complete(endpoint, *fd);
    if (code) {
        *failure = code;
        give_up(fd);
        return -1;
    }
    *fd = -1;
    return taken;
}

static void begin_attempt(struct attempts *attempts, const struct endpoint *endpoint, int *failure)
{
    int *fd = &attempts->fds[attempts->next];
    int code;

    give_up(fd);
    code = endpoint_begin(endpoint, fd);
    if (code) {
        *failure = code;
        *fd = -1;
    }
    attempts->next = (attempts->next + 1) % attempts->count;
}

int attempts_check(struct attempts *attempts, struct endpoint *endpoint, uint64_t now, int *failure)
{
    if (now >= attempts->next_ns) {
        begin_attempt(attempts, endpoint, failure);
        attempts->next_ns = now + attempts->pause_ns;
    }
    for (unsigned i = 0; i < attempts->count; i++) {
        int fd = take_socket(&attempts->fds[i], endpoint, failure);

        if (fd >= 0)
            return fd;
    }
    return -1;
}

nfds_t attempts_poll(const struct attempts *attempts, struct pollfd *pollers)
{
    nfds_t count = 0;

    for (unsigned i = 0; i < attempts->count; i++)
        if (attempts->fds[i] >= 0)
            pollers[count++] = (struct pollfd){.fd = attempts->fds[i], .events = POLLOUT};
    return count;
}
