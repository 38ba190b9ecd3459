/* A library for LD_PRELOAD that makes each GETATTR of a server slower by NFSBENCH_SLOW_NS
 * nanoseconds: it spins before a reply of GETATTR's length is sent. It works with every server that
 * replies by sendmsg(), and gives a known difference between two foreign servers
 * (bench/ganesha-power). */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum {
    GETATTR_REPLY = 4 + 24 + 4 + 84, /* record mark, RPC header, status, attributes */
};

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static ssize_t (*send_message)(int fd, const struct msghdr *message, int flags);
static uint64_t cost_ns;

__attribute__((constructor)) static void begin(void)
{
    const char *cost = getenv("NFSBENCH_SLOW_NS");

    *(void **)&send_message = dlsym(RTLD_NEXT, "sendmsg");
    cost_ns = cost ? strtoull(cost, NULL, 10) : 0;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    size_t length = 0;

    for (size_t i = 0; i < message->msg_iovlen; i++)
        length += message->msg_iov[i].iov_len;
    if (length == GETATTR_REPLY)
        for (const uint64_t end = now_ns() + cost_ns; now_ns() < end;)
            ;
    return send_message(fd, message, flags);
}
