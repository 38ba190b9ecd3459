/* An array that grows as items are added to it. */
#ifndef NFSBENCH_COMMON_ARRAY_H
#define NFSBENCH_COMMON_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Make room for one more item of SIZE bytes in ITEMS, which has COUNT items and room for *CAPACITY.
 * If it is full, *CAPACITY is doubled (FIRST at first). Returns the array, which may have moved;
 * NULL without memory, with ITEMS unchanged. */
static inline void *array_grow(void *items, size_t count, size_t *capacity, size_t first,
                               size_t size)
{
    size_t wanted = *capacity ? 2 * *capacity : first;
    void *grown;

    if (count < *capacity)
        return items;
    grown = wanted <= SIZE_MAX / size ? realloc(items, wanted * size) : NULL;
    if (grown)
        *capacity = wanted;
    return grown;
}

#endif
