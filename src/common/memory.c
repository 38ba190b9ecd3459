#include "common/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
