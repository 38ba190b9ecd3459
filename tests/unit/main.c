#include "test.h"

#include <stdio.h>
#include <stdlib.h>

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

/* cmocka's macro takes the length of an array. */
int main(void)
{
    return _cmocka_run_group_tests("tests", tests, count, group_set_up, group_tear_down);
}
