/* Connections over UDP have different source ports, because a reply is matched to its socket only
 * by the port. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "common/address.h"
#include "engine/endpoint.h"

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
    struct endpoint endpoint = {.transport = TRANSPORT_UDP, .reserved_port = true};
    struct sockaddr_in *address = (struct sockaddr_in *)&endpoint.address;
    static bool taken[65536];
    int fds[CONNECTIONS];
    struct error error;

    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address->sin_port = htons(9); /* nothing is sent there */
    for (int i = 0; i < CONNECTIONS; i++) {
        unsigned port;

        assert_int_equal(endpoint_connect(&endpoint, &fds[i], &error), 0);
        port = source_port(fds[i]);
        assert_false(taken[port]);
        taken[port] = true;
    }
    for (int i = 0; i < CONNECTIONS; i++)
        close(fds[i]);
}

static int listen_somewhere(struct sockaddr_in *address)
{
    socklen_t length = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)address, length), 0);
    assert_int_equal(listen(fd, 5), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)address, &length), 0);
    return fd;
}

/* As an NFS client must: servers recognise a repeated call by its source port. */
TEST_CASE(connects_again_from_its_port)
{
    struct endpoint endpoint = {.transport = TRANSPORT_TCP, .timeout_ns = 10000000000};
    const struct linger reset = {.l_onoff = 1};
    struct error error;
    int server = listen_somewhere((struct sockaddr_in *)&endpoint.address), fd, other;
    unsigned port;

    for (int reserved = 0; reserved < 2; reserved++) {
        endpoint.reserved_port = reserved;
        endpoint.source_port = 0;
        assert_int_equal(endpoint_connect(&endpoint, &fd, &error), 0);
        port = source_port(fd);
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        close(fd);
        assert_int_equal(endpoint_connect(&endpoint, &fd, &error), 0);
        assert_int_equal(source_port(fd), port);

        /* While the first connection exists, the second has another port. */
        assert_int_equal(endpoint_connect(&endpoint, &other, &error), 0);
        assert_int_not_equal(source_port(other), port);
        close(fd);
        close(other);
    }
    close(server);
}
