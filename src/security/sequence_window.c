#include "security/sequence_window.h"

#include <string.h>

static uint64_t *word_of(struct sequence_window *window, uint32_t number)
{
    return &window->seen[number % SEQUENCE_WINDOW_MAXIMUM / 64];
}

static uint64_t bit_of(uint32_t number)
{
    return UINT64_C(1) << number % 64;
}

/* Move the window up to NUMBER, and clear the bits of the numbers that enter it. */
static void advance(struct sequence_window *window, uint32_t number)
{
    if (number - window->highest >= SEQUENCE_WINDOW_MAXIMUM) {
        memset(window->seen, 0, sizeof window->seen);
    } else {
        for (uint32_t at = window->highest + 1; at != number; at++)
            *word_of(window, at) &= ~bit_of(at);
        *word_of(window, number) &= ~bit_of(number);
    }
    window->highest = number;
}

bool sequence_window_take(struct sequence_window *window, uint32_t number)
{
    bool seen;

    if (number == 0)
        return false;
    if (number > window->highest)
        advance(window, number);
    else if (window->highest - number >= window->size)
        return false;
    seen = *word_of(window, number) & bit_of(number);
    *word_of(window, number) |= bit_of(number);
    return !seen;
}
