#include "common/receive_window.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

int receive_window_set(int fd, uint32_t bytes)
{
    const int size = (int)bytes;

    return setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size) == 0 ? 0 : -errno;
}

int receive_window_check(uint32_t bytes, struct error *error)
{
    /* Any socket can test the kernel's limit, because all families have the same. */
    const int fd = bytes ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    int given = 0;
    socklen_t length = sizeof given;

    if (fd < 0)
        return 0;
    receive_window_set(fd, bytes);
    getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &given, &length);
    close(fd);
    if ((uint32_t)given / 2 >= bytes) /* the kernel doubles the size that is set */
        return 0;
    return error_set(error, ERROR_USAGE, -ERANGE,
                     "--receive-window %u: this machine allows %d bytes at most (SO_RCVBUF); raise "
                     "net.core.rmem_max, or give a smaller window",
                     bytes, given / 2);
}
