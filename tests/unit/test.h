/* cmocka, with the headers that it needs and those that tests have in common, and tests that are
 * written once: TEST_CASE(name) { ... } is a test, and runs; those of a file run in its order.
 * main() is in main.c. */
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

/* The test NAME, whose argument is STATE; with what comes before and after it, or NULL. */
#define TEST_CASE_WITH(name, set_up, tear_down)                                                    \
    static void test_##name(void **state);                                                         \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        test_add(#name, test_##name, set_up, tear_down);                                           \
    }                                                                                              \
    static void test_##name(void **state)

#define TEST_CASE(name) TEST_CASE_WITH(name, NULL, NULL)

/* What comes before and after all tests of the file, or NULL. */
#define TEST_GROUP(set_up, tear_down)                                                              \
    __attribute__((constructor)) static void add_group(void)                                       \
    {                                                                                              \
        test_set_group(set_up, tear_down);                                                         \
    }

void test_add(const char *name, CMUnitTestFunction function, CMFixtureFunction set_up,
              CMFixtureFunction tear_down);
void test_set_group(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A is within TOLERANCE of B. */
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        double near_a = (a), near_b = (b);                                                         \
        if (!(near_a - near_b <= (tolerance) && near_b - near_a <= (tolerance)))                   \
            fail_msg("%s is %.9g, not within %g of %.9g", #a, near_a, (double)(tolerance),         \
                     near_b);                                                                      \
    } while (0)

/* As that; a B that is not a number stands for an A that is none. */
#define assert_figure(a, b, tolerance)                                                             \
    do {                                                                                           \
        double figure_a = (a), figure_b = (b);                                                     \
        if ((figure_a != figure_a) != (figure_b != figure_b))                                      \
            fail_msg("%s is %.9g, not %.9g", #a, figure_a, figure_b);                              \
        if (figure_a == figure_a)                                                                  \
            assert_near(figure_a, figure_b, tolerance);                                            \
    } while (0)
