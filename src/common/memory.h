/* Memory for what grows: one array to which items are added, and an arena of many things that are
 * released together. */
#pragma once

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* Add ITEM to the array whose address is at ARRAY, which grows as above. Returns 0 or -ENOMEM. */
static inline int array_add(void *array, size_t *count, size_t *capacity, size_t first,
                            const void *item, size_t size)
{
    char *items;

    memcpy(&items, array, sizeof items); /* a pointer of any type */
    items = array_grow(items, *count, capacity, first, size);
    if (!items)
        return -ENOMEM;
    memcpy(array, &items, sizeof items);
    memcpy(items + (*count)++ * size, item, size);
    return 0;
}

/* Have the array whose address is at ARRAY, with room for *ROOM items of SIZE bytes, have room for
 * WANTED of them; twice as many as before at least, if it must grow. New items are not set. Returns
 * 0, or -ENOMEM with nothing changed. */
int array_reserve(void *array, size_t *room, size_t wanted, size_t size);

struct arena_block;

/* Pieces of memory with the same lifetime. Zeroed, it is empty. */
struct arena {
    struct arena_block *last;
};

/* COUNT items of SIZE bytes, zeroed and aligned for any type, which are released with the arena.
 * NULL without memory, or if the total size overflows. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* A copy of TEXT. NULL if TEXT is NULL, or without memory. */
const char *arena_copy(struct arena *arena, const char *text);

/* Release everything; the arena is then empty. */
void arena_free(struct arena *arena);
