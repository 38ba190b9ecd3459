/* Compares two measurements, or groups of them, op by op. */
#include "compare/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static bool has_figure(const struct result_op *op, enum result_quantity quantity)
{
    return !isnan(result_figure_of(op, quantity).estimate) &&
           (quantity < RESULT_SERVER_PART || result_has_parts(op));
}

/* If ROW's further figure NUMBER is comparable, compare it in FURTHER, and let ROW point there. */
static int estimate_further(const struct compare_pair *pair, struct compare_row *row, size_t number,
                            struct compare_row *further, struct error *error)
{
    const enum result_quantity quantity = (enum result_quantity)(RESULT_MEAN_COST + number);
    int code;

    if (row->compared != RESULT_COST || !has_figure(row->first, quantity) ||
        !has_figure(row->second, quantity))
        return 0;
    *further = (struct compare_row){
        .first = row->first, .second = row->second, .compared = quantity, .typical = row};
    code = pair_estimate(pair, further, error);
    if (code == 0 && further->judged && further->launches[0] > 0 && further->launches[1] > 0)
        row->further[number] = further;
    else
        *further = (struct compare_row){.first = NULL};
    return code;
}

/* Estimate ROW and its further figures. FURTHER has COMPARE_FURTHER rows. */
static int estimate_row(const struct compare_pair *pair, struct compare_row *row,
                        struct compare_row *further, struct error *error)
{
    int code;

    /* null itself, local ops, and all ops of runs without a baseline have only a round trip */
    row->compared = row->first->baseline && row->second->baseline ? RESULT_COST : RESULT_ROUND_TRIP;
    code = pair_estimate(pair, row, error);
    for (size_t i = 0; i < COMPARE_FURTHER && code == 0 && row->judged; i++)
        code = estimate_further(pair, row, i, &further[i], error);
    return code;
}

static int estimate_rows(struct compare_pair *pair, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < pair->count && code == 0; i++)
        code = estimate_row(pair, &pair->rows[i], &pair->rows[pair->count + i * COMPARE_FURTHER],
                            error);
    return code;
}

/* Pair the ops that both sides have and OPS (NULL: all) names, without the null control. */
static int pair_up(struct compare_pair *pair, const char *ops, struct error *error)
{
    pair->rows = calloc((1 + COMPARE_FURTHER) * pair->first->op_count, sizeof *pair->rows);
    if (!pair->rows)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < pair->first->op_count; i++) {
        const struct result_op *first = &pair->first->ops[i];
        const struct result_op *second = result_find(pair->second, first->op);

        if (second && first != pair->first->null_control &&
            (!ops || result_names_op(ops, first->op)))
            pair->rows[pair->count++] = (struct compare_row){.first = first, .second = second};
    }
    pair->row_count = (1 + COMPARE_FURTHER) * pair->count;
    if (pair->count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "%.200s and %.200s have no op in common%s",
                         pair->first->path, pair->second->path, ops ? " that --op names" : "");
    return 0;
}

int pair_compare(struct compare_pair *pair, const struct compare_threshold *threshold,
                 const char *ops, struct error *error)
{
    int code = pair_up(pair, ops, error);

    compare_note_settings(pair);
    replicates_note_settings(pair);
    if (code == 0)
        code = estimate_rows(pair, error);
    if (code == 0)
        code = pair_find_path(pair, error);
    if (code == 0)
        pair_apply_rules(pair);
    if (code == 0)
        code = compare_judge(pair->rows, pair->row_count, threshold, ops, error);
    return code ? code : pair_compare_speed(pair, error);
}
