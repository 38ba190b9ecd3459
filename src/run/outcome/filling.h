/* An allocator that remembers failures, so that a function with many allocations checks once. */
#pragma once

#include <stdbool.h>

#include "common/memory.h"

struct filling {
    struct arena *arena;
    bool failed;
};

/* filling_alloc() returns COUNT zeroed items of SIZE bytes; filling_copy() returns a copy of TEXT,
 * or NULL if TEXT is NULL. Without memory, both return NULL and set FAILED. */
void *filling_alloc(struct filling *filling, size_t count, size_t size);
const char *filling_copy(struct filling *filling, const char *text);
