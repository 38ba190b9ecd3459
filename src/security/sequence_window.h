/* The sequence numbers of a security context that have been received (RFC 2203 section 5.3.3.1):
 * the highest number, and the numbers in a window below the highest number. A number is accepted
 * once. A number below the window is never accepted, because it may have been received before. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "serve/policy.h"

/* A window. If all members except SIZE are zeroed, nothing was received. */
struct sequence_window {
    uint32_t size; /* size of the window, in sequence numbers: 1 to SEQUENCE_WINDOW_MAXIMUM */
    uint32_t highest;
    /* a bit for each number modulo SEQUENCE_WINDOW_MAXIMUM; 1: the number was received */
    uint64_t seen[SEQUENCE_WINDOW_MAXIMUM / 64];
};

/* Accept NUMBER; a new highest NUMBER moves the window. Returns false if it is 0, was accepted
 * before, or is below the window. */
bool sequence_window_take(struct sequence_window *window, uint32_t number);
