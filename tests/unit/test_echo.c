/* The header of the bare echo, and parsing the address of --echo. */
#include "test.h"

#include <string.h>

#include "cli/option_values.h"
#include "rpc/echo.h"

static int load(uint32_t length, uint32_t answer, size_t came)
{
    uint8_t bytes[ECHO_HEADER_SIZE];
    struct echo_header header = {length, answer};
    int code;

    echo_header_store(&header, bytes);
    code = echo_header_load(&header, bytes, came, 100);
    if (code == 0) {
        assert_int_equal(header.length, length);
        assert_int_equal(header.answer, answer);
    }
    return code;
}

TEST_CASE(header)
{
    const uint8_t bytes[] = {0, 0, 0, 68, 0, 1, 2, 3};
    struct echo_header header;

    assert_int_equal(echo_header_load(&header, bytes, sizeof bytes, ECHO_MAXIMUM), 0);
    assert_int_equal(header.length, 68);
    assert_int_equal(header.answer, 0x010203);
    assert_int_equal(load(8, 8, 8), 0);
    assert_int_equal(load(100, 100, 50), 0);
    for (size_t came = 0; came < ECHO_HEADER_SIZE; came++)
        assert_int_equal(load(8, 8, came), -EAGAIN);
    assert_int_equal(load(7, 8, 8), -EBADMSG);
    assert_int_equal(load(8, 7, 8), -EBADMSG);
    assert_int_equal(load(101, 8, 8), -EBADMSG);
    assert_int_equal(load(8, 101, 8), -EBADMSG);
    assert_int_equal(load(UINT32_MAX, UINT32_MAX, 8), -EBADMSG);
}

TEST_CASE(names)
{
    static const struct {
        const char *text, *host, *port;
    } good[] = {{"server:20491", "server", "20491"},
                {"127.0.0.1:1", "127.0.0.1", "1"},
                {"[::1]:65535", "::1", "65535"},
                {"[fe80::1%eth0]:7", "fe80::1%eth0", "7"}};
    static const char *const bad[] = {"",      ":",     "server", "server:", ":1",      "[]:1",
                                      "::1:1", "[::1]", "[::1]1", "a:0",     "a:-1",    "a:65536",
                                      "a: 1",  "a:1x",  "a:+1",   "[a:1",    "a]b:c:1", "a:00001x"};
    const struct option_entry entry = {.name = "echo"};
    struct echo_address echo;
    struct error error;

    for (size_t i = 0; i < COUNT_OF(good); i++) {
        assert_int_equal(option_parse_echo(&entry, good[i].text, &echo, &error), 0);
        assert_string_equal(echo.host, good[i].host);
        assert_string_equal(echo.port, good[i].port);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        assert_int_equal(option_parse_echo(&entry, bad[i], &echo, &error), -EINVAL);
        assert_int_equal(error.kind, ERROR_USAGE);
    }
}
