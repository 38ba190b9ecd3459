/* The memory budget that all connections of a server share; several threads use it. The limit is
 * checked before bytes are received and before a request is answered; the bytes or the reply may
 * then exceed the limit. While the budget is spent, connections that begin TLS are closed, and new
 * delayed datagrams are lost. On a connection that is not favoured (timeouts.h), requests wait
 * if they have several fragments or their replies may be long, and nothing is received if the
 * connection holds over STREAM_LITTLE bytes. */
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
