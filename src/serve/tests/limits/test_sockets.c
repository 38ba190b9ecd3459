/* The receive windows of the sockets that the server listens on. */
#include "serve/transport/sockets.h"
#include "tcp_window.h"

/* Return the receive window that a server with PLAN offers to a client. */
static uint32_t offered(const struct sockets_plan *plan)
{
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockets sockets;
    struct error error;
    uint32_t window;

    assert_int_equal(sockets_open(&sockets, plan, &error), 0);
    server.sin_port = htons(sockets.port);
    assert_int_equal(connect(client, (struct sockaddr *)&server, sizeof server), 0);
    window = tcp_window_of_peer(client);
    close(client);
    sockets_close(&sockets);
    return window;
}

/* The first window is the requested one, unless the kernel begins with less. */
TEST_CASE(receive_window)
{
    static const struct sockets_plan usual, small = {.receive_window = 16 << 10},
                                            large = {.receive_window = 1 << 20};

    assert_all((offered(&usual) > 32 << 10), (offered(&small), 16 << 10),
               (offered(&large) >= offered(&usual)));
}
