/* The memory of the exported tree's objects. Allocations are counted, so that clients can't use
 * more than the limit. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

struct memory {
    uint64_t used, limit; /* USED: allocated bytes; LIMIT: maximum of USED */
};

/* Allocate SIZE zeroed bytes. Returns NULL if LIMIT would be exceeded or there is no memory. */
static inline void *memory_alloc(struct memory *memory, size_t size)
{
    void *taken = memory->limit - memory->used >= size ? calloc(1, size) : NULL;

    if (taken)
        memory->used += size;
    return taken;
}

/* Free TAKEN, which was allocated with SIZE bytes, or is NULL. */
static inline void memory_free(struct memory *memory, void *taken, size_t size)
{
    if (!taken)
        return;
    free(taken);
    memory->used -= size;
}
