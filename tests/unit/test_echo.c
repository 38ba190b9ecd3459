/* The header of the bare echo. */
#include "test.h"

#include "rpc/echo.h"

static int load(uint32_t length, uint32_t answer, size_t came)
{
    uint8_t bytes[ECHO_HEADER_SIZE];
    struct echo_header header = {length, answer};
    int code;

    echo_header_store(&header, bytes);
    code = echo_header_load(&header, bytes, came, 100);
    if (code == 0)
        assert_all((header.length, length), (header.answer, answer));
    return code;
}

TEST_CASE(header)
{
    const uint8_t bytes[] = {0, 0, 0, 68, 0, 1, 2, 3};
    static const struct {
        uint32_t length, answer;
        size_t came;
        int code;
    } cases[] = {
        {8, 8, 8, 0},
        {100, 100, 50, 0},
        {7, 8, 8, -EBADMSG},
        {8, 7, 8, -EBADMSG},
        {101, 8, 8, -EBADMSG},
        {8, 101, 8, -EBADMSG},
        {UINT32_MAX, UINT32_MAX, 8, -EBADMSG},
    };
    struct echo_header header;

    assert_all((echo_header_load(&header, bytes, sizeof bytes, ECHO_MAXIMUM), 0),
               (header.length, 68), (header.answer, 0x010203));
    for (size_t came = 0; came < ECHO_HEADER_SIZE; came++)
        assert_int_equal(load(8, 8, came), -EAGAIN);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(load(cases[i].length, cases[i].answer, cases[i].came), cases[i].code);
}
