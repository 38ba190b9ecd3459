/* Universal addresses (RFC 5665), which port mappers return. */
#include "common/address.h"
#include "test.h"

TEST_CASE(universal_addresses)
{
    static const char *const malformed[] = {
        "",
        ".",
        "..",
        "0.111",
        "127.0.0.1",
        "127.0.0.1.0.111 ; id",
        "127.0.0.1.0.111 ",
        " 127.0.0.1.0.111",
        "127.0.0.1.0.111\n",
        "127.0.0.1.0.111.",
        "127.0.0.1..111",
        "127.0.0.1.0.",
        "127.0.0.1.+8.1",
        "127.0.0.1. 8.1",
        "127.0.0.1.-1.1",
        "127.0.0.1.256.1",
        "127.0.0.1.8.256",
        "127.0.0.1.8.0x1",
        "127.0.0.1.08.1",
        "127.0.0.1.8.001",
        "127.0.0.1.8.1111",
        "127.0.0.1.0.0",
        "127.0.0.8.1",
        "127.0.0.1.1.8.1",
        "localhost.8.1",
        "::1%lo.8.1",
        "[::1].8.1",
        "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000.8.1",
    };

    assert_all((address_universal_port("127.0.0.1.8.1"), 2049),
               (address_universal_port("0.0.0.0.0.111"), 111),
               (address_universal_port("255.255.255.255.255.255"), 65535),
               (address_universal_port("::1.8.1"), 2049), (address_universal_port("::.0.111"), 111),
               (address_universal_port("fe80::1:2.3.10"), 3 << 8 | 10),
               (address_universal_port("::ffff:10.0.0.1.8.1"), 2049));
    for (size_t i = 0; i < COUNT_OF(malformed); i++)
        if (address_universal_port(malformed[i]) != 0)
            fail_msg("'%s' is taken for a universal address", malformed[i]);
}
