#include "cli/pair.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGNIFICANT 0.05 /* an adjusted p below is no chance */

/* Round trips differ by as much from process to process, whatever the intervals say. */
#define ROUND_TRIP_FLOOR 0.02

static bool same_text(const struct compare_pair *pair, const char *keys)
{
    const char *first = result_file_text(pair->first->root, keys);
    const char *second = result_file_text(pair->second->root, keys);

    return !first || !second || strcmp(first, second) == 0;
}

static bool same_number(const struct compare_pair *pair, const char *keys)
{
    double first = result_file_number(pair->first->root, keys);
    double second = result_file_number(pair->second->root, keys);

    return isnan(first) || isnan(second) || first == second;
}

/* Why an op of the two files can't be compared; NULL for nothing. */
static const char *reason_against(const struct compare_pair *pair, const struct compare_row *row)
{
    if (!same_text(pair, "target.proto"))
        return "other transport";
    if (!same_text(pair, "clock.name"))
        return "other clock";
    if (!same_text(pair, "config.engine"))
        return "other engine";
    if (!same_text(pair, "config.wait"))
        return "one blocked, the other spun";
    if (strcmp(row->first->op, "read") == 0 && !same_number(pair, "config.read_size"))
        return "other size";
    if (!row->first->above_null != !row->second->above_null)
        return "one has no baseline";
    return NULL;
}

/* How far from 0 the file's control reaches, ns; 0 without one. */
static double noise_floor(const struct result_file *file)
{
    const struct result_file_op *control = result_file_find(file, "null_control");
    const json_t *interval =
        control ? json_object_get(json_object_get(control->object, "above_null_ns"), "ci95") : NULL;

    return fmax(fabs(json_number_value(json_array_get(interval, 0))),
                fabs(json_number_value(json_array_get(interval, 1))));
}

static void judge(struct compare_row *row, double threshold)
{
    const struct comparison *comparison = &row->comparison;
    double difference = comparison->difference.estimate;

    if (!row->above_null)
        row->floor = fmax(row->floor, ROUND_TRIP_FLOOR * comparison->first.estimate);
    row->share =
        comparison->first.estimate != 0 ? difference / fabs(comparison->first.estimate) : NAN;
    if (comparison->adjusted_p >= SIGNIFICANT || fabs(difference) <= row->floor)
        row->word = COMPARE_SAME;
    else
        row->word = difference > 0 ? COMPARE_SLOWER : COMPARE_FASTER;
    row->regression = row->word == COMPARE_SLOWER && row->share > threshold;
}

static int estimate_row(const struct compare_pair *pair, struct compare_row *row,
                        struct error *error)
{
    /* Null itself, and runs without a baseline, have their round trip alone. */
    row->above_null = row->first->above_null && strcmp(row->first->op, "null") != 0;
    row->floor = fmax(noise_floor(pair->first), noise_floor(pair->second));
    row->reason = reason_against(pair, row);
    if (row->reason) {
        row->word = COMPARE_NOT_COMPARABLE;
        return 0;
    }
    return comparison_estimate(
        &row->comparison, row->above_null ? row->first->above_null : row->first->blocks,
        pair->first->rounds, row->above_null ? row->second->above_null : row->second->blocks,
        pair->second->rounds, 1, error);
}

static int estimate_rows(struct compare_pair *pair, double threshold, struct error *error)
{
    struct comparison **comparisons = calloc(pair->count, sizeof *comparisons);
    size_t made = 0;
    int code = 0;

    if (!comparisons)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < pair->count && code == 0; i++) {
        code = estimate_row(pair, &pair->rows[i], error);
        if (pair->rows[i].word != COMPARE_NOT_COMPARABLE)
            comparisons[made++] = &pair->rows[i].comparison;
    }
    if (code == 0) {
        comparison_adjust(comparisons, made);
        for (size_t i = 0; i < pair->count; i++)
            if (pair->rows[i].word != COMPARE_NOT_COMPARABLE)
                judge(&pair->rows[i], threshold);
    }
    free(comparisons);
    return code;
}

/* The ops that both files have, but the control. */
static int pair_up(struct compare_pair *pair, struct error *error)
{
    pair->rows = calloc(pair->first->op_count, sizeof *pair->rows);
    if (!pair->rows)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < pair->first->op_count; i++) {
        const struct result_file_op *first = &pair->first->ops[i];
        const struct result_file_op *second = result_file_find(pair->second, first->op);

        if (second && strcmp(first->op, "null_control") != 0)
            pair->rows[pair->count++] = (struct compare_row){.first = first, .second = second};
    }
    if (pair->count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "%.200s and %.200s have no op in common",
                         pair->first->path, pair->second->path);
    return 0;
}

int pair_compare(struct compare_pair *pair, double threshold, struct error *error)
{
    int code = pair_up(pair, error);

    return code ? code : estimate_rows(pair, threshold, error);
}
