#include "sweep/differences.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "measure/statistics/contrast.h"

struct work {
    const struct differences *differences;
    const struct costs *first, *second; /* costs of each session, with replicates */
    struct resampling resampling;
    /* figures of the current op, which are too large for the stack */
    struct paired network, cost, part;
    struct error *error;
};

static const struct op_costs *first_costs(const struct work *work, const struct result_op *op)
{
    return &work->first->ops[op - work->differences->first->ops];
}

static const struct op_costs *second_costs(const struct work *work, const struct result_op *op)
{
    return &work->second->ops[op - work->differences->second->ops];
}

static int estimate_levels(struct work *work, const struct result_op *first,
                           const struct result_op *second)
{
    return paired_levels(&work->network, first_costs(work, first)->series,
                         second_costs(work, second)->series, &work->resampling, work->error);
}

static void compare_part(struct work *work, struct op_differences *op, enum quantity quantity,
                         const struct replicates *first, const struct replicates *second)
{
    op->known[quantity] = true;
    paired_costs(&work->part, first, second);
    paired_compare(&work->part, &op->of[quantity]);
}

/* Compare the parts of OP's cost (bytes, pause, server) in both sessions, if both have them. A part
 * estimated below 0 is not set to 0, so that means over launches are unbiased. */
static void estimate_parts(struct work *work, struct op_differences *op)
{
    const struct cost_split *first = &first_costs(work, op->first)->split;
    const struct cost_split *second = &second_costs(work, op->second)->split;

    if (!op->first->has_split || !op->second->has_split)
        return;
    compare_part(work, op, QUANTITY_BYTES, &first->replicates.bytes, &second->replicates.bytes);
    compare_part(work, op, QUANTITY_PAUSE, &first->replicates.pause, &second->replicates.pause);
    compare_part(work, op, QUANTITY_SERVER, &first->replicates.server, &second->replicates.server);
}

static int estimate_mean(struct work *work, struct op_differences *op)
{
    const struct paired_series a = {first_costs(work, op->first)->series,
                                    first_costs(work, op->first->baseline)->series};
    const struct paired_series b = {second_costs(work, op->second)->series,
                                    second_costs(work, op->second->baseline)->series};
    struct comparison *mean = &op->of[QUANTITY_MEAN];

    op->known[QUANTITY_MEAN] = true;
    mean->first = op->first->mean_cost.cost;
    mean->second = op->second->mean_cost.cost;
    return paired_mean_costs(&a, &b, &work->resampling, mean, work->error);
}

static void estimate_cost(struct work *work, struct op_differences *op)
{
    op->known[QUANTITY_ABOVE_NULL] = true;
    paired_costs(&work->cost, &first_costs(work, op->first)->above_null.cost_replicates,
                 &second_costs(work, op->second)->above_null.cost_replicates);
    paired_compare(&work->cost, &op->of[QUANTITY_ABOVE_NULL]);
}

/* Compare the network's times, the costs, the costs' parts, the round trips, and the mean costs. A
 * round trip is computed as network plus cost, so that the printed figures add up. */
static int estimate_above_null(struct work *work, struct op_differences *op)
{
    int code = estimate_levels(work, op->first->baseline, op->second->baseline);

    if (code)
        return code;
    op->known[QUANTITY_ROUND_TRIP] = op->known[QUANTITY_NETWORK] = true;
    paired_compare(&work->network, &op->of[QUANTITY_NETWORK]);
    estimate_cost(work, op);
    estimate_parts(work, op);
    paired_add(&work->network, &work->cost);
    paired_compare(&work->network, &op->of[QUANTITY_ROUND_TRIP]);
    return estimate_mean(work, op);
}

static int estimate_op(struct work *work, struct op_differences *op)
{
    int code;

    if (op->first == work->differences->first->null_control) {
        estimate_cost(work, op);
        return estimate_mean(work, op);
    }
    if (op->first->has_above_null && op->second->has_above_null &&
        strcmp(op->first->baseline->op, op->second->baseline->op) == 0)
        return estimate_above_null(work, op);
    op->known[QUANTITY_ROUND_TRIP] = true;
    code = estimate_levels(work, op->first, op->second);
    if (code == 0)
        paired_compare(&work->network, &op->of[QUANTITY_ROUND_TRIP]);
    return code;
}

static int pair_up(struct differences *differences)
{
    differences->ops = calloc(differences->first->op_count + 1, sizeof *differences->ops);
    for (size_t i = 0; differences->ops && i < differences->first->op_count; i++) {
        const struct result_op *first = &differences->first->ops[i],
                               *second = result_find(differences->second, first->op);

        if (second)
            differences->ops[differences->count++] =
                (struct op_differences){.first = first, .second = second};
    }
    return differences->ops ? 0 : -ENOMEM;
}

int group_compare(struct differences *differences, const struct outcome *first,
                  const struct outcome *second, struct error *error)
{
    struct work *work = malloc(sizeof *work);
    int code;

    *differences = (struct differences){.first = &first->result, .second = &second->result};
    code = work ? pair_up(differences) : -ENOMEM;
    if (code) {
        error_set(error, ERROR_FAILED, code, "out of memory");
    } else {
        work->differences = differences;
        work->first = &first->costs;
        work->second = &second->costs;
        work->resampling = first->costs.resampling;
        work->error = error;
    }
    for (size_t i = 0; i < differences->count && code == 0; i++)
        code = estimate_op(work, &differences->ops[i]);
    free(work);
    return code;
}
