#include "measure/op_order.h"

#include <string.h>

void op_order_begin(struct op_order *order, const op_order_counts *after, const uint32_t *shares,
                    size_t ops)
{
    order->after = after;
    order->ops = ops;
    memcpy(order->left, shares, ops * sizeof *shares);
    memcpy(order->shares, shares, ops * sizeof *shares);
}

/* Set the WEIGHTS of all ops, in proportion to each op's probability after the last op. LAST is the
 * last op's index plus 1; 0: none. Returns the sum of WEIGHTS. */
static double weigh_ops(const struct op_order *order, size_t last, double *weights)
{
    double sum = 0;

    for (size_t op = 0; op < order->ops; op++) {
        weights[op] = order->left[op];
        if (last)
            weights[op] *= (*order->after)[last - 1][op] / (order->shares[op] + 1.0);
        sum += weights[op];
    }
    return sum;
}

/* Draw an op with probabilities in proportion to WEIGHTS, whose sum is SUM. If rounding leaves no
 * op, return the last op with a weight above 0. */
static size_t draw_op(struct op_order *order, const double *weights, double sum)
{
    double at = (double)(random_next(&order->random) >> 11) * 0x1p-53 * sum;
    size_t found = 0;

    for (size_t op = 0; op < order->ops; op++) {
        if (weights[op] <= 0)
            continue;
        found = op;
        if (at < weights[op])
            break;
        at -= weights[op];
    }
    return found;
}

size_t op_order_next(struct op_order *order, unsigned client)
{
    double weights[OP_ORDER_OPS_MAXIMUM], sum;
    uint8_t *last = &order->last[client % OP_ORDER_CLIENTS_MAXIMUM];
    size_t op;

    sum = weigh_ops(order, *last <= order->ops ? *last : 0, weights);
    if (sum <= 0)
        sum = weigh_ops(order, 0, weights);
    op = draw_op(order, weights, sum);
    order->left[op]--;
    *last = (uint8_t)(op + 1);
    return op;
}
