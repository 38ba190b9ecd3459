/* Decides which differences between two sides count. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/compare.h"

#define SIGNIFICANT 0.05 /* a smaller p is significant */

/* Return whether the absolute difference of ROW exceeds all limits of THRESHOLD that apply to ROW's
 * figure; false if none does. A limit in ns does not apply to a rate. */
static bool exceeds(const struct compare_row *row, const struct compare_threshold *threshold)
{
    double difference = fabs(row->comparison.difference.estimate);
    double first = fabs(row->comparison.first.estimate);
    double ns = !threshold || row->figure.more_is_better ? NAN : threshold->ns;

    if (!threshold || (isnan(threshold->share) && isnan(ns)))
        return false;
    return (isnan(threshold->share) || difference > threshold->share * first) &&
           (isnan(ns) || difference > ns);
}

static bool is_gated(const struct compare_row *row, const char *ops)
{
    return !row->first || (row->first->role != RESULT_NULL && row->first->role != RESULT_LOCAL) ||
           result_names_op(ops, row->first->op);
}

/* Return the smallest difference of ROW that counts. For a time it is at least the noise. For a
 * rate it is a share of the lower rate: the share that would count for a time of one second. */
static double floor_of(const struct compare_row *row)
{
    const double second_ns = 1e9;
    const enum comparison_design design =
        row->one_launch ? COMPARISON_ONE_LAUNCH : COMPARISON_SEPARATE_RUNS;
    double smaller =
        fmin(fabs(row->comparison.first.estimate), fabs(row->comparison.second.estimate));

    if (row->figure.more_is_better)
        return comparison_floor(design, row->figure.quantity, second_ns, 0) / second_ns * smaller;
    return comparison_floor(design, row->figure.quantity, smaller, row->floor);
}

bool compare_differs(const struct compare_row *row)
{
    return row->word == COMPARISON_SLOWER || row->word == COMPARISON_FASTER;
}

void compare_leave_open(struct compare_row *row, const char *reason)
{
    row->word = COMPARISON_UNKNOWN;
    snprintf(row->reason, sizeof row->reason, "%s", reason);
}

/* Return whether ROW is tested. A p99 with one launch on each side has no test. */
static bool is_tested(const struct compare_row *row)
{
    return row->judged && (row->compared != RESULT_P99_COST || !row->one_launch);
}

/* Return whether ROW's difference is significant with or without PATH_ERROR; ignores the floor. */
static bool is_significant(const struct compare_row *row)
{
    return row->comparison.adjusted_p < SIGNIFICANT ||
           (row->path_error > 0 && row->own_p < SIGNIFICANT);
}

/* Return whether ROW may be worse than THRESHOLD although its verdict does not say so, because of
 * ONE_LAUNCH, a noise floor above the threshold, or a path that may have changed. */
static bool is_undecided(const struct compare_row *row, const struct compare_threshold *threshold)
{
    struct compare_row worst = *row;
    double *worse = &worst.comparison.difference.estimate;

    if (row->figure.more_is_better)
        *worse = -*worse;
    if (row->word == COMPARISON_UNKNOWN)
        *worse += fmax(row->floor, interval_half_width(&row->comparison.difference));
    else if (row->word != COMPARISON_SAME || !is_significant(row))
        return false;
    return row->gated && (is_tested(row) || row->open_to_gate) && *worse > 0 &&
           exceeds(&worst, threshold);
}

/* Apply the gate to ROW, which was left open because of the path. */
static void leave_to_gate(struct compare_row *row, const struct compare_threshold *threshold,
                          const char *ops)
{
    row->floor = floor_of(row);
    row->gated = is_gated(row, ops);
    row->undecided = is_undecided(row, threshold);
}

static void judge_row(struct compare_row *row, const struct compare_threshold *threshold,
                      const char *ops)
{
    struct comparison comparison = row->comparison;

    if (row->figure.more_is_better)
        comparison.difference.estimate = -comparison.difference.estimate;
    row->floor = floor_of(row);
    row->word = comparison_judge(&comparison, row->floor);
    if (row->one_launch && row->word == COMPARISON_SAME)
        compare_leave_open(row, "difference within the usual variation between two processes");
    row->gated = is_gated(row, ops);
    row->regression = row->gated && row->word == COMPARISON_SLOWER && exceeds(row, threshold);
    row->undecided = is_undecided(row, threshold);
}

static double share_of(const struct comparison *comparison)
{
    return estimate_excludes_0(&comparison->first)
               ? comparison->difference.estimate / fabs(comparison->first.estimate)
               : NAN;
}

int compare_judge(struct compare_row *rows, size_t count, const struct compare_threshold *threshold,
                  const char *ops, struct error *error)
{
    struct comparison **family = calloc(count + 1, sizeof *family);
    size_t tested = 0;

    if (!family)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (is_tested(&rows[i]) && !rows[i].is_path)
            family[tested++] = &rows[i].comparison;
    comparison_adjust(family, tested);
    for (size_t i = 0; i < count; i++) {
        rows[i].ratio = comparison_ratio(&rows[i].comparison, false);
        rows[i].share = share_of(&rows[i].comparison);
        if (rows[i].judged)
            judge_row(&rows[i], threshold, ops);
        else if (rows[i].left_open)
            leave_to_gate(&rows[i], threshold, ops);
    }
    free(family);
    return 0;
}
