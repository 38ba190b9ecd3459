/* What the other end of a stream can show. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output/terminal.h"
#include "test.h"

static FILE *terminal_stream;
static int controller;

static int open_terminal(void **state)
{
    const struct winsize size = {.ws_col = 133, .ws_row = 40};

    controller = posix_openpt(O_RDWR | O_NOCTTY);
    if (controller < 0 || grantpt(controller) != 0 || unlockpt(controller) != 0 ||
        ioctl(controller, TIOCSWINSZ, &size) != 0)
        return -1;
    terminal_stream = fopen(ptsname(controller), "re+");
    unsetenv("NO_COLOR");
    return terminal_stream ? 0 : -1;
}

static int close_terminal(void **state)
{
    fclose(terminal_stream);
    return close(controller);
}

static void test_terminal(void **state)
{
    struct terminal terminal = terminal_of(terminal_stream);

    assert_int_equal(terminal.columns, 133);
    assert_true(terminal.colour);
    setenv("NO_COLOR", "1", true);
    assert_false(terminal_of(terminal_stream).colour);
}

static void test_file(void **state)
{
    FILE *file = tmpfile();

    assert_non_null(file);
    assert_int_equal(terminal_of(file).columns, 80);
    assert_false(terminal_of(file).colour);
    fclose(file);
}

static void test_locale(void **state)
{
    setenv("LC_ALL", "C", true);
    assert_false(terminal_of(terminal_stream).utf8);
    setenv("LC_ALL", "C.UTF-8", true);
    assert_true(terminal_of(terminal_stream).utf8);
    setenv("LC_ALL", "no_SUCH.locale", true);
    assert_false(terminal_of(terminal_stream).utf8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_locale),
    };

    return cmocka_run_group_tests(tests, open_terminal, close_terminal);
}
