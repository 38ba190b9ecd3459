/* The order of ops: which one a client calls next depends on the one that it called before, as a
 * Markov chain, but for this: each block has as many calls of each op as it is to have. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/random.h"

enum { OP_ORDER_OPS_MAXIMUM = 48, OP_ORDER_CLIENTS_MAXIMUM = 1024 };

/* How often each op followed each: [op][the next one]. */
typedef double op_order_counts[OP_ORDER_OPS_MAXIMUM][OP_ORDER_OPS_MAXIMUM];

struct op_order {
    const op_order_counts *after;
    size_t ops;
    uint32_t left[OP_ORDER_OPS_MAXIMUM], shares[OP_ORDER_OPS_MAXIMUM]; /* calls in the block */
    uint8_t last[OP_ORDER_CLIENTS_MAXIMUM]; /* op of a client, plus 1; 0: none */
    struct random random;
};

/* Begin a block with SHARES calls of each of OPS ops, which follow each other as AFTER says. What
 * clients called last stays as it was; *ORDER is zeroed, with a seed, before the first block. */
void op_order_begin(struct op_order *order, const op_order_counts *after, const uint32_t *shares,
                    size_t ops);

/* The op that CLIENT calls next, of those that have calls left, of which there is one at least. How
 * often it followed the last one is weighted by the share of its calls that are left: an op that
 * was drawn too often becomes rarer. Where none that has followed is left, only the calls left
 * count. */
size_t op_order_next(struct op_order *order, unsigned client);
