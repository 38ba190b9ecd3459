/* Memory that is released all at once: for a structure of many parts that live as long as each
 * other. */
#ifndef NFSBENCH_COMMON_ARENA_H
#define NFSBENCH_COMMON_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zeroed, it is empty. */
struct arena {
    struct arena_block *last;
};

/* COUNT items of SIZE bytes, zeroed and aligned for any type, to be released with the arena. NULL
 * without memory, or where their size can't be expressed. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* A copy of TEXT. NULL where TEXT is NULL, or without memory. */
const char *arena_copy(struct arena *arena, const char *text);

/* Release all; the arena is empty then. */
void arena_free(struct arena *arena);

#endif
