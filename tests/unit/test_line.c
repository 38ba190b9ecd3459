/* Reading a line from a pipe. */
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/input.h"

enum { SECOND_NS = 1000 * 1000 * 1000 };

/* Write TEXT into a pipe, close it or not, and read a line of SIZE bytes back. */
static int read_back(const char *text, bool closed, char *line, size_t size, uint64_t timeout_ns,
                     const volatile sig_atomic_t *stop)
{
    int ends[2], code;

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    if (closed)
        close(ends[1]);
    code = input_read_line(ends[0], line, size, timeout_ns, stop);
    close(ends[0]);
    if (!closed)
        close(ends[1]);
    return code;
}

TEST_CASE(line)
{
    const volatile sig_atomic_t stop = 1;
    char line[16];

    assert_int_equal(read_back("hello\n", false, line, sizeof line, 5 * (uint64_t)SECOND_NS, NULL),
                     0);
    assert_string_equal(line, "hello\n");
    assert_int_equal(read_back("cut", true, line, sizeof line, SECOND_NS, NULL), -EPIPE);
    assert_string_equal(line, "cut");
    assert_int_equal(read_back("", true, line, sizeof line, SECOND_NS, NULL), -EPIPE);
    assert_string_equal(line, "");
    assert_int_equal(read_back("wait", false, line, sizeof line, 1000000, NULL), -ETIMEDOUT);
    assert_int_equal(read_back("much too long for it\n", false, line, sizeof line, SECOND_NS, NULL),
                     -EMSGSIZE);
    assert_int_equal(strlen(line), sizeof line - 1);
    assert_int_equal(read_back("stop\n", false, line, sizeof line, SECOND_NS, &stop), -EINTR);
}
