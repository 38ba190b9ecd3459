/* Two measurements: which of the differences between them count. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "output/compare.h"

bool compare_exceeds(const struct comparison *comparison, const struct compare_threshold *threshold,
                     bool is_time)
{
    double difference = fabs(comparison->difference.estimate);
    double first = fabs(comparison->first.estimate);

    if (!threshold || (isnan(threshold->share) && isnan(threshold->ns)))
        return false;
    return (isnan(threshold->share) || difference > threshold->share * first) &&
           (isnan(threshold->ns) || !is_time || difference > threshold->ns);
}

bool pair_is_gated(const struct compare_row *row, const char *ops)
{
    return (row->first->role != RESULT_NULL && row->first->role != RESULT_LOCAL) ||
           result_names_op(ops, row->first->op);
}

static void judge(struct compare_row *row, const struct compare_threshold *threshold,
                  const char *ops)
{
    const struct comparison *comparison = &row->comparison;
    double first = comparison->first.estimate;
    double smaller = fmin(fabs(first), fabs(comparison->second.estimate));
    enum comparison_quantity quantity =
        row->compared == RESULT_ROUND_TRIP ? COMPARISON_ROUND_TRIP : COMPARISON_COST;

    row->floor =
        comparison_floor(row->one_launch ? COMPARISON_ONE_LAUNCH : COMPARISON_SEPARATE_RUNS,
                         quantity, smaller, row->floor);
    row->ratio = comparison_ratio(comparison, false);
    row->share = estimate_excludes_0(&comparison->first)
                     ? comparison->difference.estimate / fabs(first)
                     : NAN;
    row->word = comparison_judge(comparison, row->floor);
    if (row->one_launch && row->word == COMPARISON_SAME)
        row->word = COMPARISON_UNKNOWN;
    row->regression = row->word == COMPARISON_SLOWER &&
                      compare_exceeds(comparison, threshold, true) && pair_is_gated(row, ops);
}

enum { KINDS = 1 + COMPARE_FURTHER }; /* comparisons of an op */

/* The INDEX-th of all comparisons; NULL: it was not made. */
static struct compare_row *comparison_at(struct compare_pair *pair, size_t index)
{
    struct compare_row *row = &pair->rows[index / KINDS];

    if (index % KINDS > 0)
        return row->further[index % KINDS - 1];
    return row->word != COMPARISON_NOT_COMPARABLE ? row : NULL;
}

/* Of a p99 in one launch on each side there is no test. */
static bool is_tested(const struct compare_row *row)
{
    return row->compared != RESULT_P99_COST || !row->one_launch;
}

int pair_judge(struct compare_pair *pair, const struct compare_threshold *threshold,
               const char *ops, struct error *error)
{
    const size_t most = pair->count * KINDS;
    struct comparison **comparisons = calloc(most, sizeof *comparisons);
    struct compare_row *row;
    size_t made = 0;

    if (!comparisons)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < most; i++)
        if ((row = comparison_at(pair, i)) && is_tested(row))
            comparisons[made++] = &row->comparison;
    comparison_adjust(comparisons, made);
    for (size_t i = 0; i < most; i++)
        if ((row = comparison_at(pair, i)))
            judge(row, threshold, ops);
    free(comparisons);
    return 0;
}
