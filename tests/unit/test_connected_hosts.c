/* Proving that an address belongs to a host, and recognising addresses of this machine. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "common/address.h"
#include "server/connected_hosts.h"

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

static bool is_loopback(const char *text)
{
    struct sockaddr_storage address = address_of(text, 2049);

    return address_is_loopback(&address);
}

TEST_CASE(addresses)
{
    struct sockaddr_storage link[2] = {address_of("fe80::1", 1), address_of("fe80::1", 1)};

    assert_true(is_same("10.0.0.1", "10.0.0.1"));
    assert_false(is_same("10.0.0.1", "10.0.0.2"));
    assert_true(is_same("2001:db8::1", "2001:db8::1"));
    assert_false(is_same("2001:db8::1", "2001:db8::2"));
    assert_false(is_same("127.0.0.1", "::1"));
    ((struct sockaddr_in6 *)&link[1])->sin6_scope_id = 3; /* another link */
    assert_false(address_is_same_host(&link[0], &link[1]));

    assert_true(is_loopback("127.0.0.1") && is_loopback("127.255.1.2") && is_loopback("::1"));
    assert_false(is_loopback("0.0.0.0") || is_loopback("::") || is_loopback("10.0.0.127"));
    assert_false(is_loopback("128.0.0.1") || is_loopback("fe80::1"));
}

TEST_CASE(connected_hosts)
{
    static struct connected_hosts connected = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct sockaddr_storage host = address_of("10.0.0.1", 700), port = address_of("10.0.0.1", 701);
    struct sockaddr_storage other = address_of("10.0.0.2", 700);
    int first, last = 0;

    assert_false(connected_hosts_has(&connected, &host));
    first = connected_hosts_add(&connected, &host);
    assert_true(first >= 0);
    assert_true(connected_hosts_has(&connected, &port));
    assert_false(connected_hosts_has(&connected, &other));
    for (int i = 1; i < CONNECTED_HOSTS_MAXIMUM; i++)
        assert_true((last = connected_hosts_add(&connected, &other)) >= 0);
    assert_int_equal(connected_hosts_add(&connected, &other), -ENOSPC);
    connected_hosts_remove(&connected, last);
    assert_true(connected_hosts_has(&connected, &other)); /* by its other connections */
    connected_hosts_remove(&connected, first);
    assert_false(connected_hosts_has(&connected, &host));
}
