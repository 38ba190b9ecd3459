/* The memory that may be held of what was captured: what is asked for beyond it is refused, so
 * that a capture of any size, and any contents, is read in the same memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct allowance {
    size_t held, limit; /* bytes */
};

static inline bool allowance_take(struct allowance *allowance, size_t bytes)
{
    if (bytes > allowance->limit - allowance->held)
        return false;
    allowance->held += bytes;
    return true;
}

static inline void allowance_give(struct allowance *allowance, size_t bytes)
{
    allowance->held -= bytes;
}
