/* The abilities of a stream's terminal, and the wrapping of lines. */
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>

#include "output/view/terminal.h"
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

FIXTURE(close_terminal, fclose(terminal_stream), close(controller))

TEST_CASE(terminal)
{
    struct terminal terminal = terminal_of(terminal_stream);

    assert_all((terminal.columns, 133), (terminal.colour));
    setenv("NO_COLOR", "1", true);
    assert_false(terminal_of(terminal_stream).colour);
}

TEST_CASE(file)
{
    FILE *file = tmpfile();

    assert_all((file), (terminal_of(file).columns, 80), (!terminal_of(file).colour));
    fclose(file);
}

TEST_CASE(narrow)
{
    FILE *file = tmpfile();

    assert_non_null(file);
    unsetenv("COLUMNS");
    assert_all((terminal_narrow(file), 100), (terminal_width(file) == UINT_MAX),
               (terminal_narrow(terminal_stream), 133));
    terminal_choose(true, TERMINAL_COLOURS_AUTO);
    assert_true(terminal_narrow(file) == UINT_MAX);
    terminal_choose(false, TERMINAL_COLOURS_AUTO);
    setenv("COLUMNS", "70", true);
    assert_int_equal(terminal_narrow(file), 70);
    unsetenv("COLUMNS");
    fclose(file);
}

TEST_CASE(locale)
{
    setenv("LC_ALL", "C", true);
    assert_false(terminal_of(terminal_stream).utf8);
    setenv("LC_ALL", "C.UTF-8", true);
    assert_true(terminal_of(terminal_stream).utf8);
    setenv("LC_ALL", "no_SUCH.locale", true);
    assert_false(terminal_of(terminal_stream).utf8);
}

static void assert_wrapped(const char *text, unsigned indent, const char *expected)
{
    char *printed;
    size_t length;
    FILE *out = open_memstream(&printed, &length);

    assert_non_null(out);
    terminal_print_wrapped(text, indent, out);
    fclose(out);
    assert_string_equal(printed, expected);
    free(printed);
}

TEST_CASE(wrapping)
{
    setenv("COLUMNS", "12", true);
    assert_wrapped("", 2, "\n");
    assert_wrapped("  one two", 4, "  one two\n");
    assert_wrapped("  one two   fo", 4, "  one two\n    fo\n");
    assert_wrapped("  one two abc", 4, "  one two\n    abc\n");
    assert_wrapped("  one two ab", 4, "  one two ab\n");
    assert_wrapped("  one two \303\251\303\251", 4, "  one two \303\251\303\251\n");
    assert_wrapped("longer-than-a-line so", 2, "longer-than-a-line\n  so\n");
    assert_wrapped("one \033[31mtwo\033[0m abcd", 2, "one \033[31mtwo\033[0m abcd\n");
    terminal_choose(true, TERMINAL_COLOURS_AUTO);
    assert_wrapped("  one two three", 4, "  one two three\n");
    terminal_choose(false, TERMINAL_COLOURS_AUTO);
    unsetenv("COLUMNS");
    assert_wrapped("  one two   three four five six", 4, "  one two   three four five six\n");
}

TEST_CASE(width)
{
    setenv("COLUMNS", "100", true);
    assert_int_equal(terminal_width(terminal_stream), 100);
    unsetenv("COLUMNS");
    assert_int_equal(terminal_width(terminal_stream), 133);
}

TEST_CASE(colours)
{
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", true);
    assert_false(terminal_of(terminal_stream).colour);
    assert_string_equal(terminal_tone(terminal_stream, TERMINAL_WORSE), "");
    setenv("TERM", "xterm", true);
    assert_string_equal(terminal_tone(terminal_stream, TERMINAL_WORSE), "\033[31m");
    terminal_choose(false, TERMINAL_COLOURS_NEVER);
    assert_false(terminal_of(terminal_stream).colour);
    terminal_choose(false, TERMINAL_COLOURS_ALWAYS);
    setenv("NO_COLOR", "1", true);
    assert_true(terminal_of(terminal_stream).colour);
    terminal_choose(false, TERMINAL_COLOURS_AUTO);
    unsetenv("NO_COLOR");
}

TEST_GROUP(open_terminal, close_terminal)
