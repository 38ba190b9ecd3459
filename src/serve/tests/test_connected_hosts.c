/* The record of hosts that have a connection, and the comparison of addresses. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "common/address.h"
#include "serve/transport/connected_hosts.h"

static struct sockaddr_storage address_of(const char *text, uint16_t port)
{
    struct sockaddr_storage address = {.ss_family = AF_INET};

    if (inet_pton(AF_INET, text, &((struct sockaddr_in *)&address)->sin_addr) != 1) {
        address.ss_family = AF_INET6;
        assert_int_equal(inet_pton(AF_INET6, text, &((struct sockaddr_in6 *)&address)->sin6_addr),
                         1);
    }
    address_set_port(&address, port);
    return address;
}

static bool is_same(const char *a, const char *b)
{
    struct sockaddr_storage first = address_of(a, 1), second = address_of(b, 2);

    return address_is_same_host(&first, &second);
}

TEST_CASE(addresses)
{
    static const struct {
        const char *text;
        bool loopback;
    } all[] = {{"127.0.0.1", true},  {"127.255.1.2", true}, {"::1", true},
               {"0.0.0.0", false},   {"::", false},         {"10.0.0.127", false},
               {"128.0.0.1", false}, {"fe80::1", false},    {"2001:db8::1", false}};
    struct sockaddr_storage link[2] = {address_of("fe80::1", 1), address_of("fe80::1", 1)};

    for (size_t i = 0; i < COUNT_OF(all); i++) {
        struct sockaddr_storage address = address_of(all[i].text, 2049);

        assert_int_equal(address_is_loopback(&address), all[i].loopback);
        for (size_t j = 0; j < COUNT_OF(all); j++)
            assert_int_equal(is_same(all[i].text, all[j].text), i == j);
    }
    ((struct sockaddr_in6 *)&link[1])->sin6_scope_id = 3; /* another link */
    assert_false(address_is_same_host(&link[0], &link[1]));
}

TEST_CASE(connected_hosts)
{
    static struct connected_hosts connected = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct sockaddr_storage host = address_of("10.0.0.1", 700), port = address_of("10.0.0.1", 701);
    struct sockaddr_storage other = address_of("10.0.0.2", 700);
    int first, last = 0;

    assert_false(connected_hosts_has(&connected, &host));
    first = connected_hosts_add(&connected, &host);
    assert_all((first >= 0), (connected_hosts_has(&connected, &port)),
               (!connected_hosts_has(&connected, &other)));
    for (int i = 1; i < CONNECTED_HOSTS_MAXIMUM; i++)
        assert_true((last = connected_hosts_add(&connected, &other)) >= 0);
    assert_int_equal(connected_hosts_add(&connected, &other), -ENOSPC);
    connected_hosts_remove(&connected, last);
    assert_true(connected_hosts_has(&connected, &other)); /* OTHER has further connections */
    connected_hosts_remove(&connected, first);
    assert_false(connected_hosts_has(&connected, &host));
}
