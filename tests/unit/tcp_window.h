#pragma once

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "test.h"

/* Return the receive window of the peer of FD, a TCP connection, in bytes. */
static inline uint32_t tcp_window_of_peer(int fd)
{
    struct tcp_info info = {.tcpi_state = 0};
    socklen_t length = sizeof info;

    assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length), 0);
    return info.tcpi_snd_wnd;
}
