/* cmocka with its headers and those that most tests need. TEST_CASE(name) { ... } defines and
 * registers a test. The tests of a file run in the order of the file. main() is in main.c. */
#pragma once

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Define the test NAME, whose argument is STATE. SET_UP (NULL: none) runs before the test,
 * TEAR_DOWN (NULL: none) after it. */
#define TEST_CASE_WITH(name, set_up, tear_down)                                                    \
    static void test_##name(void **state);                                                         \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        test_add(#name, test_##name, set_up, tear_down);                                           \
    }                                                                                              \
    static void test_##name(void **state)

#define TEST_CASE(name) TEST_CASE_WITH(name, NULL, NULL)

/* Define NAME, a set-up or tear-down that evaluates expressions in their order. If the value of the
 * last one is not 0, the test or group fails. */
#define FIXTURE(name, ...)                                                                         \
    static inline int name(void **state)                                                           \
    {                                                                                              \
        return (__VA_ARGS__);                                                                      \
    }

/* SET_UP (NULL: none) runs before all tests of the file, TEAR_DOWN (NULL: none) after all. */
#define TEST_GROUP(set_up, tear_down)                                                              \
    __attribute__((constructor)) static void add_group(void)                                       \
    {                                                                                              \
        test_set_group(set_up, tear_down);                                                         \
    }

void test_add(const char *name, CMUnitTestFunction function, CMFixtureFunction set_up,
              CMFixtureFunction tear_down);
void test_set_group(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Check a list of at most 12 items. An item is (condition); (found, expected), which are integers,
 * pointers or texts; or (found, expected, tolerance). A failure prints the value found. */
#define assert_all(...) ALL_OF(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(__VA_ARGS__)

#define ALL_OF(a, b, c, d, e, f, g, h, i, j, k, l, count, ...) ALL_##count

#define ALL_1(one)       CHECK_ONE one
#define ALL_2(one, ...)  CHECK_ONE one, ALL_1(__VA_ARGS__)
#define ALL_3(one, ...)  CHECK_ONE one, ALL_2(__VA_ARGS__)
#define ALL_4(one, ...)  CHECK_ONE one, ALL_3(__VA_ARGS__)
#define ALL_5(one, ...)  CHECK_ONE one, ALL_4(__VA_ARGS__)
#define ALL_6(one, ...)  CHECK_ONE one, ALL_5(__VA_ARGS__)
#define ALL_7(one, ...)  CHECK_ONE one, ALL_6(__VA_ARGS__)
#define ALL_8(one, ...)  CHECK_ONE one, ALL_7(__VA_ARGS__)
#define ALL_9(one, ...)  CHECK_ONE one, ALL_8(__VA_ARGS__)
#define ALL_10(one, ...) CHECK_ONE one, ALL_9(__VA_ARGS__)
#define ALL_11(one, ...) CHECK_ONE one, ALL_10(__VA_ARGS__)
#define ALL_12(one, ...) CHECK_ONE one, ALL_11(__VA_ARGS__)

#define CHECK_ONE(...) CHECK_BY(__VA_ARGS__, CHECK_NEAR, CHECK_SAME, CHECK_HOLDS, 0)(__VA_ARGS__)

#define CHECK_BY(found, expected, tolerance, how, ...) how

#define CHECK_HOLDS(condition)                                                                     \
    test_number(#condition, (uintmax_t)((condition) ? 1 : 0), 1, __FILE__, __LINE__)
#define CHECK_SAME(found, expected)                                                                \
    _Generic((expected), char *: test_text, const char *: test_text, double: 0,                    \
             default: test_number)(#found, (uintmax_t)(found), (uintmax_t)(expected), __FILE__,    \
                                   __LINE__)
#define CHECK_NEAR(found, expected, tolerance)                                                     \
    test_near(#found, found, expected, tolerance, __FILE__, __LINE__)

void test_number(const char *what, uintmax_t found, uintmax_t expected, const char *file, int line);
void test_text(const char *what, uintmax_t found, uintmax_t expected, const char *file, int line);
void test_near(const char *what, double found, double expected, double tolerance, const char *file,
               int line);

#define assert_near(a, b, tolerance) CHECK_NEAR(a, b, tolerance)

/* Check that A is within TOLERANCE of B, or that both are NAN. */
#define assert_figure(a, b, tolerance)                                                             \
    do {                                                                                           \
        double figure_a = (a), figure_b = (b);                                                     \
        if ((figure_a != figure_a) != (figure_b != figure_b))                                      \
            fail_msg("%s is %.9g, not %.9g", #a, figure_a, figure_b);                              \
        if (figure_a == figure_a)                                                                  \
            assert_near(figure_a, figure_b, tolerance);                                            \
    } while (0)
