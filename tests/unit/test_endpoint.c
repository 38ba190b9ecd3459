/* Connections over UDP have different source ports, because a reply is matched to its socket only
 * by the port. */
#include "common/address.h"
#include "listener.h"

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

/* As an NFS client must: servers recognise a repeated call by its source port. */
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

        /* While the first connection exists, the second has another port. */
        assert_int_equal(endpoint_connect(&endpoint, &other, &error), 0);
        assert_int_not_equal(source_port(other), port);
        close(fd);
        close(other);
    }
    listener_close(&listener);
}
