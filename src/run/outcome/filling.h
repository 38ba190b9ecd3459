/* Memory of a structure that is being filled in. */
#pragma once

#include <stdbool.h>

#include "common/memory.h"

/* A lack of memory sets FAILED. */
struct filling {
    struct arena *arena;
    bool failed;
};

/* COUNT items of SIZE bytes, zeroed, and a copy of TEXT. */
void *filling_room(struct filling *filling, size_t count, size_t size);
const char *filling_copy(struct filling *filling, const char *text);
