/* Arrays that grow, and arenas, whose contents are released together. */
#pragma once

#include <stddef.h>

/* Ensure that the array whose address is at ARRAY has memory for WANTED items of SIZE bytes. *ROOM
 * is the number of items that fit into its present memory. If the array grows, *ROOM at least
 * doubles. New items are not initialized. Returns 0, or -ENOMEM with nothing changed. */
int array_reserve(void *array, size_t *room, size_t wanted, size_t size);

/* Append ITEM, of SIZE bytes, to the array whose address is at ARRAY. The array has *COUNT items
 * and memory for *ROOM; it grows if necessary. Returns 0, or -ENOMEM with nothing changed. */
int array_add(void *array, size_t *count, size_t *room, const void *item, size_t size);

struct arena_block;

/* An arena: memory that is released all at once. An arena that is all zeros is empty. */
struct arena {
    struct arena_block *last;
};

/* Allocate COUNT items of SIZE bytes in ARENA, zeroed and aligned for any type. Returns NULL if
 * there is no memory, or if the total size overflows. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* Copy TEXT into ARENA. Returns NULL if TEXT is NULL or if there is no memory. */
const char *arena_copy(struct arena *arena, const char *text);

/* Release the contents of ARENA, which is then empty. */
void arena_free(struct arena *arena);
