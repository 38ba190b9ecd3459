/* The subset of cmocka's interface that the tests of scripts/check-arm64 need, because a machine
 * with a compiler for arm64 has no cmocka for arm64. A check that fails ends the program.
 * Set-up and tear-down functions are not called. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test;
    CMFixtureFunction set_up, tear_down;
    void *initial_state;
};

#define fail_msg(...)                                                                              \
    do {                                                                                           \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                            \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fputc('\n', stderr);                                                                       \
        exit(1);                                                                                   \
    } while (0)

#define _fail(file, line) (fprintf(stderr, "at %s:%d\n", file, line), exit(1))

#define CHECK(condition, text)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s", text);                                                                  \
    } while (0)

#define assert_true(a)               CHECK(a, #a " is false")
#define assert_false(a)              CHECK(!(a), #a " is true")
#define assert_non_null(a)           CHECK((a) != NULL, #a " is NULL")
#define assert_int_equal(a, b)       CHECK((uint64_t)(a) == (uint64_t)(b), #a " is not " #b)
#define assert_int_not_equal(a, b)   CHECK((uint64_t)(a) != (uint64_t)(b), #a " is " #b)
#define assert_string_equal(a, b)    CHECK(strcmp(a, b) == 0, #a " is not " #b)
#define assert_memory_equal(a, b, n) CHECK(memcmp(a, b, n) == 0, #a " has other bytes than " #b)
#define assert_in_range(a, low, high)                                                              \
    CHECK((uint64_t)(a) >= (uint64_t)(low) && (uint64_t)(a) <= (uint64_t)(high),                   \
          #a " is not in " #low " to " #high)

static inline int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
                                          size_t count, CMFixtureFunction set_up,
                                          CMFixtureFunction tear_down)
{
    void *state = NULL;

    for (size_t i = 0; i < count; i++)
        tests[i].test(&state);
    return 0;
}
