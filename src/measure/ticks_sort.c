#include "measure/rounds.h"

#include <stdlib.h>
#include <string.h>

/* A radix digit has 11 bits: its counters fit into the first-level cache, and two digits suffice
 * for most blocks. From LARGE samples on, radix sort is used. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, LARGE = 512 };

static int compare_ticks(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static size_t digit(uint64_t value, unsigned shift)
{
    return value >> shift & (DIGITS - 1);
}

/* Copy FROM to TO, sorted by the digit at bit SHIFT; equal digits keep their order. */
static void sort_by_digit(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
    uint32_t place[DIGITS] = {0}, before = 0;

    for (size_t i = 0; i < n; i++)
        place[digit(from[i], shift)]++;
    for (size_t i = 0; i < DIGITS; i++) {
        uint32_t count = place[i];

        place[i] = before;
        before += count;
    }
    for (size_t i = 0; i < n; i++)
        to[place[digit(from[i], shift)]++] = from[i];
}

static uint64_t differing_bits(const uint64_t *ticks, size_t n)
{
    uint64_t bits = 0;

    for (size_t i = 1; i < n; i++)
        bits |= ticks[i] ^ ticks[0];
    return bits;
}

/* Sort by radix, from the lowest digit to the highest digit in which values differ. */
static void sort_large(uint64_t *ticks, uint64_t *spare, size_t n)
{
    uint64_t bits = differing_bits(ticks, n), *from = ticks, *to = spare, *sorted;

    for (unsigned shift = 0; shift < 64 && bits >> shift; shift += DIGIT_BITS) {
        sort_by_digit(from, to, n, shift);
        sorted = to;
        to = from;
        from = sorted;
    }
    if (from != ticks)
        memcpy(ticks, from, n * sizeof *ticks);
}

void ticks_sort(uint64_t *ticks, uint64_t *spare, size_t n)
{
    if (n < LARGE || n > UINT32_MAX)
        qsort(ticks, n, sizeof *ticks, compare_ticks);
    else
        sort_large(ticks, spare, n);
}
