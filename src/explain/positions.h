/* Positions: numbers of bytes in a stream, or of datagrams, modulo 2^32. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is A before B? They are less than 2^31 apart. */
static inline bool position_is_before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

/* LIST has COUNT items of SIZE bytes, whose first member is a position, in order: the index of the
 * first that is not before END; COUNT if all are. */
static inline size_t position_find(const void *list, size_t count, size_t size, uint32_t end)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint32_t *position = (const void *)((const char *)list + middle * size);

        if (position_is_before(*position, end))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
