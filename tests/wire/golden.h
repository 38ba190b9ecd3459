/* Bytes written by hand: hexadecimal digits, text in quotes, and optional spaces. */
#pragma once

#include "test.h"

enum { GOLDEN_MAXIMUM = 4096 };

struct golden {
    uint8_t bytes[GOLDEN_MAXIMUM];
    size_t length;
};

static inline int golden_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Return the bytes that TEXT describes: "00000001 'abc' 00" is 00 00 00 01 61 62 63 00. */
static inline struct golden golden(const char *text)
{
    struct golden out = {.length = 0};

    while (*text) {
        if (*text == ' ') {
            text++;
        } else if (*text == '\'') {
            for (text++; *text != '\''; text++)
                out.bytes[out.length++] = (uint8_t)*text;
            text++;
        } else {
            int high = golden_digit(text[0]), low = golden_digit(text[1]);

            if (high < 0 || low < 0 || out.length == GOLDEN_MAXIMUM)
                fail_msg("golden bytes can't be read at '%s'", text);
            out.bytes[out.length++] = (uint8_t)(high << 4 | low);
            text += 2;
        }
    }
    return out;
}

/* Check that the LENGTH bytes ACTUAL equal TEXT. A difference is reported with its position. */
static inline void assert_golden(const void *actual, size_t length, const char *text)
{
    struct golden expected = golden(text);

    for (size_t i = 0; i < length && i < expected.length; i++)
        if (((const uint8_t *)actual)[i] != expected.bytes[i])
            fail_msg("byte %zu is %02x, not %02x", i, ((const uint8_t *)actual)[i],
                     expected.bytes[i]);
    assert_int_equal(length, expected.length);
}

/* Return a copy of BYTES in allocated memory of exactly LENGTH bytes (at least 1), so that a
 * sanitizer detects reading past the end. */
static inline uint8_t *exact_copy(const void *bytes, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);

    assert_non_null(copy);
    memcpy(copy, bytes, length);
    return copy;
}
