/* How much memory the exported tree takes, counted in whole allocations, so that what clients
 * write, make and name is bounded. */
#ifndef NFSBENCH_SERVER_MEMORY_H
#define NFSBENCH_SERVER_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

struct memory {
    uint64_t used, limit; /* bytes */
};

/* SIZE zeroed bytes, or NULL when there is no room left. */
static inline void *memory_take(struct memory *memory, size_t size)
{
    void *taken = memory->limit - memory->used >= size ? calloc(1, size) : NULL;

    if (taken)
        memory->used += size;
    return taken;
}

/* Give back what was taken with SIZE; NULL is allowed. */
static inline void memory_give(struct memory *memory, void *taken, size_t size)
{
    if (!taken)
        return;
    free(taken);
    memory->used -= size;
}

#endif
