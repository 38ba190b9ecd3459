/* Memory for a structure that is being made. */
#pragma once

#include <stdbool.h>

#include "common/memory.h"

/* FAILED is set when memory runs out. */
struct filling {
    struct arena *arena;
    bool failed;
};

/* Return COUNT zeroed items of SIZE bytes; return a copy of TEXT. NULL if out of memory. */
void *filling_alloc(struct filling *filling, size_t count, size_t size);
const char *filling_copy(struct filling *filling, const char *text);
