#include "test.h"

enum { TESTS_MAXIMUM = 100 };

static struct CMUnitTest tests[TESTS_MAXIMUM];
static size_t count;
static CMFixtureFunction group_set_up, group_tear_down;

void test_add(const char *name, CMUnitTestFunction function, CMFixtureFunction set_up,
              CMFixtureFunction tear_down)
{
    if (count == TESTS_MAXIMUM) {
        fprintf(stderr, "there are more than %d tests in a file\n", TESTS_MAXIMUM);
        exit(1);
    }
    tests[count++] = (struct CMUnitTest){name, function, set_up, tear_down, NULL};
}

void test_set_group(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    group_set_up = set_up;
    group_tear_down = tear_down;
}

void test_number(const char *what, uintmax_t found, uintmax_t expected, const char *file, int line)
{
    if (found == expected)
        return;
    fprintf(stderr, "%s is %jd (%#jx), not %jd\n", what, (intmax_t)found, found,
            (intmax_t)expected);
    _fail(file, line);
}

void test_text(const char *what, uintmax_t found, uintmax_t expected, const char *file, int line)
{
    const char *text = (const char *)found, *other = (const char *)expected;

    if (text && strcmp(text, other) == 0)
        return;
    fprintf(stderr, "%s is '%s', not '%s'\n", what, text ? text : "(NULL)", other);
    _fail(file, line);
}

void test_near(const char *what, double found, double expected, double tolerance, const char *file,
               int line)
{
    if (found - expected <= tolerance && expected - found <= tolerance)
        return;
    fprintf(stderr, "%s is %.9g, not within %g of %.9g\n", what, found, tolerance, expected);
    _fail(file, line);
}

/* cmocka's macro needs an array of known length. */
int main(void)
{
    return _cmocka_run_group_tests("tests", tests, count, group_set_up, group_tear_down);
}
