/* The memory budget that all connections of a server share; several threads use it. The limit is
 * checked before a turn of a connection and may be exceeded during the turn: data that have arrived
 * are kept, but nothing more is read until memory is free again. So the excess is bounded by one
 * turn of each thread and STREAM_LITTLE of each connection, and no connection is closed for lack of
 * memory. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct budget {
    atomic_size_t held; /* bytes in use */
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
