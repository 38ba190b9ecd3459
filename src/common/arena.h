/* Memory that is released all at once: for structures whose parts all have the same lifetime. */
#ifndef NFSBENCH_COMMON_ARENA_H
#define NFSBENCH_COMMON_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zeroed, it is empty. */
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

#endif
