/* The order of a client's ops: a Markov chain, but with a fixed number of calls of each op in a
 * block. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/random.h"

enum { OP_ORDER_OPS_MAXIMUM = 48, OP_ORDER_CLIENTS_MAXIMUM = 1024 };

/* How often one op followed another: [op][the next op]. */
typedef double op_order_counts[OP_ORDER_OPS_MAXIMUM][OP_ORDER_OPS_MAXIMUM];

struct op_order {
    const op_order_counts *after;
    size_t ops;
    uint32_t left[OP_ORDER_OPS_MAXIMUM],
        shares[OP_ORDER_OPS_MAXIMUM];       /* calls in the block, left to make and in total */
    uint8_t last[OP_ORDER_CLIENTS_MAXIMUM]; /* last op of each client, plus 1; 0: none */
    struct random random;
};

/* Begin a block with SHARES calls of each of OPS ops; AFTER has the frequencies of their
 * succession. The clients' last ops are kept from the block before. Before the first block, *ORDER
 * is zeroed and has a seed. */
void op_order_begin(struct op_order *order, const op_order_counts *after, const uint32_t *shares,
                    size_t ops);

/* Return the next op of CLIENT, and take one of its calls. At least one call is left in the block.
 * The probability of an op is how often it followed the client's last op, times the share of its
 * calls that are left, so that an op that was drawn too often becomes rarer. If no op with calls
 * left has followed, only the calls left count. */
size_t op_order_next(struct op_order *order, unsigned client);
