#include "common/memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 }; /* items for which array_add() first gets memory */

int array_reserve(void *array, size_t *room, size_t wanted, size_t size)
{
    const size_t larger = wanted > 2 * *room ? wanted : 2 * *room;
    void *items;

    if (wanted <= *room)
        return 0;
    memcpy(&items, array, sizeof items); /* copied bytewise, because ARRAY's type is unknown */
    items = larger <= SIZE_MAX / size ? realloc(items, larger * size) : NULL;
    if (!items)
        return -ENOMEM;
    memcpy(array, &items, sizeof items);
    *room = larger;
    return 0;
}

int array_add(void *array, size_t *count, size_t *room, const void *item, size_t size)
{
    int code = array_reserve(array, room, *room ? *count + 1 : FIRST_ROOM, size);
    char *items;

    if (code)
        return code;
    memcpy(&items, array, sizeof items);
    memcpy(items + (*count)++ * size, item, size);
    return 0;
}

struct arena_block {
    struct arena_block *before;
    max_align_t data[];
};

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    struct arena_block *block;

    if (size && count > (SIZE_MAX - sizeof *block) / size)
        return NULL;
    block = calloc(1, sizeof *block + count * size);
    if (!block)
        return NULL;
    block->before = arena->last;
    arena->last = block;
    return block->data;
}

const char *arena_copy(struct arena *arena, const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? arena_alloc(arena, size, 1) : NULL;

    return copy ? memcpy(copy, text, size) : NULL;
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *block = arena->last;

        arena->last = block->before;
        free(block);
    }
}
