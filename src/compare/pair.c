/* Two measurements, compared op by op. */
#include "compare/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/result/settings.h"

/* What a side measured of an op */

/* The round trips or costs in each round. To be freed; NULL without memory. */
static double *rounds_of(const struct result *result, const struct result_op *op, bool above_null)
{
    double *rounds = calloc(result->rounds.done, sizeof *rounds);

    for (size_t i = 0; rounds && i < result->rounds.done; i++)
        rounds[i] = op->blocks[i] - (above_null ? op->baseline->blocks[i] : 0);
    return rounds;
}

/* One side's launches. */
struct side {
    const struct result *results;
    size_t files;
    struct launch *launches;
    size_t count;
};

static int take_side(struct side *side, const char *op, enum result_quantity quantity,
                     struct error *error)
{
    size_t most = 0;

    for (size_t i = 0; i < side->files; i++)
        most += side->results[i].launch_count;
    side->launches = calloc(most + 1, sizeof *side->launches);
    if (!side->launches)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    side->count = replicates_take(side->results, side->files, op, quantity, side->launches);
    return 0;
}

/* Estimating */

/* By their rounds, which are all that one launch on each side has. */
static int compare_rounds(const struct compare_pair *pair, struct compare_row *row,
                          struct error *error)
{
    bool above_null = row->compared == RESULT_COST;
    double *first = rounds_of(pair->first, row->first, above_null);
    double *second = rounds_of(pair->second, row->second, above_null);
    int code = first && second
                   ? comparison_estimate(&row->comparison, first, pair->first->rounds.done, second,
                                         pair->second->rounds.done, 1, error)
                   : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    free(first);
    free(second);
    return code;
}

/* A launch's p99 has no interval, so nothing can be said of two. */
static int compare_p99(struct compare_row *row)
{
    struct comparison *comparison = &row->comparison;
    struct interval *const intervals[] = {&comparison->first, &comparison->second,
                                          &comparison->difference};

    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
        intervals[i]->low = intervals[i]->high = NAN;
    return 0;
}

/* A launch on each side. */
static int compare_one_launch(const struct compare_pair *pair, struct compare_row *row,
                              struct error *error)
{
    row->one_launch = true;
    if (row->compared == RESULT_P99_COST)
        return compare_p99(row);
    if (row->compared != RESULT_MEAN_COST)
        return compare_rounds(pair, row, error);
    /* Its intervals allow for rare slow calls. */
    comparison_of_intervals(&row->comparison, &row->first->mean_cost.cost,
                            &row->second->mean_cost.cost);
    return 0;
}

static int compare_sides(const struct compare_pair *pair, struct compare_row *row,
                         struct error *error)
{
    const char *op = row->first->op;
    struct side first = {.results = pair->first, .files = pair->first_count};
    struct side second = {.results = pair->second, .files = pair->second_count};
    int code = take_side(&first, op, row->compared, error);

    if (code == 0)
        code = take_side(&second, op, row->compared, error);
    row->launches[0] = first.count;
    row->launches[1] = second.count;
    if (code == 0 && (first.count == 0 || second.count == 0 ||
                      !comparison_of_launches(&row->comparison, first.launches, first.count,
                                              second.launches, second.count)))
        code = compare_has_replicates(pair) ? 0 : compare_one_launch(pair, row, error);
    free(first.launches);
    free(second.launches);
    return code;
}

static void add_reason(struct compare_row *row, const struct compare_pair *pair)
{
    const struct result *groups[] = {pair->first, pair->second};
    size_t counts[] = {pair->first_count, pair->second_count};

    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < counts[side] && !row->reason[0]; i++) {
            const struct result *result = &groups[side][i];

            if (!result_find(result, row->first->op))
                snprintf(row->reason, sizeof row->reason, "%.200s has none", result->path);
            else if (result->validity.verdict == VERDICT_INVALID)
                snprintf(row->reason, sizeof row->reason, "%.200s is invalid", result->path);
            else
                settings_against(pair->first, result, row->first->op, row->reason,
                                 sizeof row->reason);
        }
}

/* Rounding to the histogram's buckets may add to a difference of p99 half a bucket on each side,
 * and as much again for null's. */
static double noise_of(const struct compare_pair *pair, const struct compare_row *row)
{
    const double p99 = fmax(row->first->latency.p99, row->second->latency.p99);

    return fmax(
        row->compared == RESULT_P99_COST ? 4 * HISTOGRAM_RELATIVE_ERROR * p99 : 0,
        fmax(result_noise(pair->first, row->compared), result_noise(pair->second, row->compared)));
}

/* Compare the mean costs, or the p99, too, if both have them: in FURTHER, which ROW then has at
 * NUMBER. */
static int estimate_further(const struct compare_pair *pair, struct compare_row *row, size_t number,
                            struct compare_row *further, struct error *error)
{
    const enum result_quantity quantity = (enum result_quantity)(RESULT_MEAN_COST + number);
    int code;

    if (row->compared != RESULT_COST || !result_cost_of(row->first, quantity) ||
        !result_cost_of(row->second, quantity))
        return 0;
    *further = (struct compare_row){.first = row->first,
                                    .second = row->second,
                                    .compared = quantity,
                                    .typical = row,
                                    .figure.quantity = COMPARISON_COST};
    further->floor = noise_of(pair, further);
    code = compare_sides(pair, further, error);
    further->judged = code == 0 && further->launches[0] > 0 && further->launches[1] > 0;
    if (further->judged)
        row->further[number] = further;
    return code;
}

/* FURTHER has room for COMPARE_FURTHER rows. */
static int estimate_row(const struct compare_pair *pair, struct compare_row *row,
                        struct compare_row *further, struct error *error)
{
    int code;

    /* Null itself, and runs without a baseline, have their round trip alone. */
    row->compared = row->first->baseline && row->second->baseline ? RESULT_COST : RESULT_ROUND_TRIP;
    row->figure.quantity = row->compared == RESULT_COST ? COMPARISON_COST : COMPARISON_ROUND_TRIP;
    row->floor = noise_of(pair, row);
    add_reason(row, pair);
    if (row->reason[0]) {
        row->word = COMPARISON_NOT_COMPARABLE;
        return 0;
    }
    row->judged = true;
    code = compare_sides(pair, row, error);
    if (compare_has_replicates(pair) && (row->launches[0] == 0 || row->launches[1] == 0)) {
        row->judged = false;
        row->word = COMPARISON_NOT_COMPARABLE;
        snprintf(row->reason, sizeof row->reason, "not every result has it in its launches");
        return code;
    }
    for (size_t i = 0; i < COMPARE_FURTHER && code == 0; i++)
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

/* The ops that both have, but the null control. */
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
    if (code == 0)
        code = estimate_rows(pair, error);
    if (code == 0)
        code = compare_judge(pair->rows, pair->row_count, threshold, ops, error);
    return code ? code : pair_compare_speed(pair, error);
}
