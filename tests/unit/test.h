/* cmocka, with the headers that it needs. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A is within TOLERANCE of B. */
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        double near_a = (a), near_b = (b);                                                         \
        if (!(near_a - near_b <= (tolerance) && near_b - near_a <= (tolerance)))                   \
            fail_msg("%s is %.9g, not within %g of %.9g", #a, near_a, (double)(tolerance),         \
                     near_b);                                                                      \
    } while (0)
