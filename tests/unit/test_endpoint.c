/* Source ports and receive windows of connections. Over UDP, the ports must differ, because a reply
 * is matched to its socket only by the port. */
#include "common/address.h"
#include "common/receive_window.h"
#include "listener.h"
#include "tcp_window.h"

enum { CONNECTIONS = 100 };

static unsigned source_port(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;

    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    return address_port(&address);
}

TEST_CASE(datagrams_do_not_share_ports)
{
    struct listener listener;
    struct endpoint endpoint;
    static bool taken[65536];
    int fds[CONNECTIONS];
    struct error error;

    listener_open(&listener, TRANSPORT_UDP, 0);
    endpoint = listener.endpoint;
    endpoint.reserved_port = true;
    for (int i = 0; i < CONNECTIONS; i++) {
        unsigned port;

        assert_int_equal(endpoint_connect(&endpoint, &fds[i], &error), 0);
        port = source_port(fds[i]);
        assert_false(taken[port]);
        taken[port] = true;
    }
    for (int i = 0; i < CONNECTIONS; i++)
        close(fds[i]);
    listener_close(&listener);
}

/* An NFS client must connect again from its old port, because servers recognise a repeated call by
 * its source port. */
TEST_CASE(connects_again_from_its_port)
{
    const struct linger reset = {.l_onoff = 1};
    struct listener listener;
    struct endpoint endpoint;
    struct error error;
    int fd, other;
    unsigned port;

    listener_open(&listener, TRANSPORT_TCP, 5);
    endpoint = listener.endpoint;
    endpoint.timeout_ns = 10000000000;
    for (int reserved = 0; reserved < 2; reserved++) {
        endpoint.reserved_port = reserved;
        endpoint.source_port = 0;
        assert_int_equal(endpoint_connect(&endpoint, &fd, &error), 0);
        port = source_port(fd);
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        close(fd);
        assert_all((endpoint_connect(&endpoint, &fd, &error), 0), (source_port(fd), port));

        /* While the first connection exists, the second needs another port. */
        assert_int_equal(endpoint_connect(&endpoint, &other, &error), 0);
        assert_int_not_equal(source_port(other), port);
        close(fd);
        close(other);
    }
    listener_close(&listener);
}

TEST_CASE(receive_window)
{
    static const uint32_t sizes[] = {0, 16 << 10, 1 << 20};
    uint32_t windows[COUNT_OF(sizes)];
    struct error error;

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct listener listener;
        int fd, accepted;

        listener_open(&listener, TRANSPORT_TCP, 5);
        listener.endpoint.timeout_ns = 10000000000;
        listener.endpoint.receive_window = sizes[i];
        assert_int_equal(endpoint_connect(&listener.endpoint, &fd, &error), 0);
        accepted = accept(listener.fd, NULL, NULL);
        windows[i] = tcp_window_of_peer(accepted);
        close(accepted);
        close(fd);
        listener_close(&listener);
    }
    assert_all((windows[0] > 32 << 10), (windows[1], 16 << 10), (windows[2] >= windows[0]));
}

TEST_CASE(receive_window_is_checked)
{
    struct error error = {.text = ""};

    assert_all((receive_window_check(0, &error), 0), (receive_window_check(2048, &error), 0),
               (receive_window_check(RECEIVE_WINDOW_MAXIMUM, &error), -ERANGE),
               (strstr(error.text, "net.core.rmem_max") != NULL));
}
