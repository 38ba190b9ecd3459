/* Connections over UDP have source ports of their own: a reply finds its socket by nothing else. */
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

static void test_datagrams_do_not_share_ports(void **state)
{
    struct endpoint endpoint = {.transport = TRANSPORT_UDP, .reserved_port = true};
    struct sockaddr_in *address = (struct sockaddr_in *)&endpoint.address;
    static bool taken[65536];
    int fds[CONNECTIONS];
    struct error error;

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_datagrams_do_not_share_ports)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
