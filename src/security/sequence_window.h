/* Which sequence numbers of a security context have been seen (RFC 2203 section 5.3.3.1): the
 * highest, and those of a window below it. A number is taken once; one below the window is never
 * taken, since it is not known whether it was seen. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "serve/policy.h"

/* All zeros but the size: nothing has been seen, and number 0 is below the window. */
struct sequence_window {
    uint32_t size; /* numbers, 1 or more */
    uint32_t highest;
    uint64_t seen[SEQUENCE_WINDOW_MAXIMUM / 64]; /* a bit for each number modulo the maximum */
};

/* Take NUMBER. False if it was taken before, or is below the window. */
bool sequence_window_take(struct sequence_window *window, uint32_t number);
