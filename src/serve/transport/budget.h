/* The memory that all connections of a server hold together, counted by several threads. The limit
 * is checked before a turn of work begins, and may be exceeded during it: what has arrived is kept,
 * and then nothing more is read until memory is free again. So the limit is exceeded by at most
 * what one turn of each thread can take and the little that each connection may always hold, and no
 * connection is closed for lack of memory. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct budget {
    atomic_size_t held; /* bytes */
    size_t limit;
};

static inline void budget_take(struct budget *budget, size_t bytes)
{
    atomic_fetch_add_explicit(&budget->held, bytes, memory_order_relaxed);
}

static inline void budget_give(struct budget *budget, size_t bytes)
{
    atomic_fetch_sub_explicit(&budget->held, bytes, memory_order_relaxed);
}

static inline bool budget_is_spent(struct budget *budget)
{
    return atomic_load_explicit(&budget->held, memory_order_relaxed) >= budget->limit;
}
