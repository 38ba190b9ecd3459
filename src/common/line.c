#include "common/line.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "common/system_clock.h"

enum { POLL_MS = 100 }; /* between checks of the clock and of the stop flag */

int line_read(int fd, char *line, size_t size, uint64_t timeout_ns,
              const volatile sig_atomic_t *stop)
{
    uint64_t deadline = monotonic_ns() + timeout_ns;
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    size_t length = 0;

    line[0] = '\0';
    while (length < size - 1) {
        ssize_t got;

        if (stop && *stop)
            return -EINTR;
        if (monotonic_ns() >= deadline)
            return -ETIMEDOUT;
        if (poll(&poller, 1, POLL_MS) <= 0)
            continue;
        got = read(fd, line + length, size - 1 - length);
        if (got <= 0)
            return -EPIPE;
        length += (size_t)got;
        line[length] = '\0';
        if (line[length - 1] == '\n')
            return 0;
    }
    return -EMSGSIZE;
}
