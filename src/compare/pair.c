/* A figure of an op on two sides: the values of both sides, and the difference. */
#include "compare/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "output/result/settings.h"

/* Return OP's round trip in each round, ns, or its cost if ABOVE_NULL, in an array that the caller
 * frees; NULL: no memory. */
static double *rounds_of(const struct result *result, const struct result_op *op, bool above_null)
{
    double *rounds = calloc(result->rounds.done, sizeof *rounds);

    for (size_t i = 0; rounds && i < result->rounds.done; i++)
        rounds[i] = op->blocks[i] - (above_null ? op->baseline->blocks[i] : 0);
    return rounds;
}

/* One side: the RESULTS of FILES files, and COUNT estimates of their launches in LAUNCHES. */
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
    side->count =
        replicates_get_estimates(side->results, side->files, op, quantity, side->launches);
    return 0;
}

/* Compare ROW's op by its rounds, because each side of PAIR has only one launch. */
static int compare_rounds(const struct compare_pair *pair, struct compare_row *row,
                          struct error *error)
{
    const bool above_null = row->compared == RESULT_COST;
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

/* Leave out the intervals of ROW's p99, because one launch gives a p99 no interval and no test. */
static int compare_p99(struct compare_row *row)
{
    struct comparison *comparison = &row->comparison;
    struct interval *const intervals[] = {&comparison->first, &comparison->second,
                                          &comparison->difference};

    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
        intervals[i]->low = intervals[i]->high = NAN;
    return 0;
}

static int compare_one_launch(const struct compare_pair *pair, struct compare_row *row,
                              struct error *error)
{
    struct interval first, second;

    row->one_launch = true;
    if (row->compared == RESULT_P99_COST)
        return compare_p99(row);
    if (row->compared == RESULT_ROUND_TRIP || row->compared == RESULT_COST)
        return compare_rounds(pair, row, error);
    /* Other figures are compared by their intervals, because the interval of a mean cost includes
     * rare slow calls, and parts of a cost have no values per round. */
    first = result_figure_of(row->first, row->compared);
    second = result_figure_of(row->second, row->compared);
    comparison_of_intervals(&row->comparison, &first, &second);
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
                snprintf(row->reason, sizeof row->reason, "%.200s has no calls of the op",
                         result->path);
            else if (result->validity.verdict == VERDICT_INVALID)
                snprintf(row->reason, sizeof row->reason, "%.200s is invalid", result->path);
            else
                settings_find_difference(pair->first, result, row->first->op, row->reason,
                                         sizeof row->reason);
        }
}

/* Return the noise of ROW, ns. A p99 is rounded to buckets, which on each side adds half a bucket
 * for the op, and half a bucket for null. */
static double noise_of(const struct compare_pair *pair, const struct compare_row *row)
{
    const double p99 = fmax(row->first->latency.p99, row->second->latency.p99);

    return fmax(
        row->compared == RESULT_P99_COST ? 4 * HISTOGRAM_RELATIVE_ERROR * p99 : 0,
        fmax(result_noise(pair->first, row->compared), result_noise(pair->second, row->compared)));
}

int pair_estimate(const struct compare_pair *pair, struct compare_row *row, struct error *error)
{
    int code;

    row->figure.quantity =
        row->compared == RESULT_ROUND_TRIP ? COMPARISON_ROUND_TRIP : COMPARISON_COST;
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
    }
    return code;
}
