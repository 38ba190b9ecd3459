/* The order of clients' ops: a Markov chain with a fixed number of calls of each op in a block. */
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
    /* number of calls of each op in the block: LEFT, still to make; SHARES, in total */
    uint32_t left[OP_ORDER_OPS_MAXIMUM], shares[OP_ORDER_OPS_MAXIMUM];
    /* each client's last op plus 1, at CLIENT % OP_ORDER_CLIENTS_MAXIMUM; 0: none */
    uint8_t last[OP_ORDER_CLIENTS_MAXIMUM];
    struct random random;
};

/* Begin a block with SHARES[i] calls of op i, for each of OPS ops. AFTER says how often one op
 * followed another; it must stay valid during the block. The clients' last ops are kept from the
 * block before. Before the first block, zero *ORDER and seed its `random`. */
void op_order_begin(struct op_order *order, const op_order_counts *after, const uint32_t *shares,
                    size_t ops);

/* Return the next op of CLIENT, and take one call of that op from the block, which has calls left.
 * The probability of an op is proportional to how often it followed the client's last op, times the
 * share of the op's calls that are left. So an op that was drawn too often becomes rarer. If the
 * client has no last op, or if no op with calls left ever followed the last op, the probability of
 * an op is proportional to the number of its calls that are left. */
size_t op_order_next(struct op_order *order, unsigned client);
