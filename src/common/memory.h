/* Memory for what grows: one array to which items are added, and an arena of many things that are
 * released together. */
#pragma once

#include <stddef.h>

/* Have the array whose address is at ARRAY, with room for *ROOM items of SIZE bytes, have room for
 * WANTED of them; twice as many as before at least, if it must grow. New items are not set. Returns
 * 0, or -ENOMEM with nothing changed. */
int array_reserve(void *array, size_t *room, size_t wanted, size_t size);

/* Add ITEM, of SIZE bytes, to the array whose address is at ARRAY, which has *COUNT items and grows
 * beyond its *ROOM. Returns 0, or -ENOMEM with nothing changed. */
int array_add(void *array, size_t *count, size_t *room, const void *item, size_t size);

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
