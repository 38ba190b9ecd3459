/* The differences between two sides measured in the same rounds. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/paired.h"
#include "run/versus.h"

static int lengthen(size_t *longest, const struct series *one, const struct series *other, size_t n,
                    struct error *error)
{
    size_t length;
    int code = above_null_block_length(one, other, n, &length, error);

    if (code == 0 && length > *longest)
        *longest = length;
    return code;
}

/* One block length for both sides: the longest that any differences require, within a side and
 * between the two. */
int versus_block_length(const struct versus *versus, size_t *length, struct error *error)
{
    const struct session *first = &versus->sessions[SIDE_FIRST];
    size_t n = versus->rounds.done;
    int code = 0;

    *length = 1;
    for (size_t side = 0; side < SIDES; side++) {
        const struct session *session = &versus->sessions[side];
        const struct series *measured = session->measuring.rounds.series;

        for (size_t i = 0; i < session->set.count && code == 0; i++) {
            const struct run_series *series = session->set.series[i];

            if (!series_role(series)->in_result)
                continue;
            if (series->baseline)
                code = lengthen(length, &measured[i], &measured[series->baseline->index], n, error);
            if (code == 0 && series != session->set.control)
                code = lengthen(length, &measured[i], &first->measuring.rounds.series[i], n, error);
        }
    }
    return code;
}

/* Estimating */

struct work {
    struct versus_result *result;
    const struct costs *first, *second; /* of both sides, with their replicates */
    struct resampling resampling;
    struct paired network, cost, part; /* of the current op; too large for the stack */
    struct error *error;
};

static const struct op_costs *first_costs(const struct work *work, const struct result_op *op)
{
    return &work->first->ops[op - work->result->first->ops];
}

static const struct op_costs *second_costs(const struct work *work, const struct result_op *op)
{
    return &work->second->ops[op - work->result->second->ops];
}

static int estimate_levels(struct work *work, const struct result_op *first,
                           const struct result_op *second)
{
    return paired_levels(&work->network, first_costs(work, first)->series,
                         second_costs(work, second)->series, &work->resampling, work->error);
}

static void compare_part(struct work *work, struct versus_part *part,
                         const struct replicates *first, const struct replicates *second)
{
    paired_costs(&work->part, first, second);
    paired_compare(&work->part, &part->comparison);
}

static void estimate_parts(struct work *work, struct versus_row *row)
{
    const struct cost_split *first = &first_costs(work, row->first)->split;
    const struct cost_split *second = &second_costs(work, row->second)->split;

    row->has_parts = row->first->has_split && row->second->has_split;
    if (!row->has_parts)
        return;
    compare_part(work, &row->bytes, &first->replicates.bytes, &second->replicates.bytes);
    compare_part(work, &row->pause, &first->replicates.pause, &second->replicates.pause);
    compare_part(work, &row->server, &first->replicates.server, &second->replicates.server);
}

/* The round trip is the sum of its parts, so that the printed parts add up. */
static int estimate_cost(struct work *work, struct versus_row *row)
{
    int code = estimate_levels(work, row->first->baseline, row->second->baseline);

    if (code)
        return code;
    paired_compare(&work->network, &row->network.comparison);
    paired_costs(&work->cost, &first_costs(work, row->first)->above_null.cost_replicates,
                 &second_costs(work, row->second)->above_null.cost_replicates);
    paired_compare(&work->cost, &row->above_null.comparison);
    estimate_parts(work, row);
    paired_add(&work->network, &work->cost);
    paired_compare(&work->network, &row->round_trip.comparison);
    return 0;
}

static int estimate_row(struct work *work, struct versus_row *row)
{
    int code;

    row->has_cost = row->first->has_above_null && row->second->has_above_null;
    if (row->has_cost)
        return estimate_cost(work, row);
    code = estimate_levels(work, row->first, row->second);
    if (code == 0)
        paired_compare(&work->network, &row->round_trip.comparison);
    return code;
}

static void estimate_control(struct work *work)
{
    struct versus_result *result = work->result;
    const struct interval *difference = &result->null_control.difference;
    const struct result_op *first = result->first->null_control,
                           *second = result->second->null_control;

    result->has_control = first && second;
    if (!result->has_control)
        return;
    paired_costs(&work->part, &first_costs(work, first)->above_null.cost_replicates,
                 &second_costs(work, second)->above_null.cost_replicates);
    paired_compare(&work->part, &result->null_control);
    result->noise_floor_ns = fmax(fabs(difference->low), fabs(difference->high));
}

/* Judging: the round trip of each op, and the server's part of it. */

static size_t collect_parts(struct versus_result *result, struct versus_part **parts)
{
    size_t count = 0;

    for (size_t i = 0; i < result->count; i++) {
        struct versus_row *row = &result->rows[i];
        double round_trip_ns = row->round_trip.comparison.first.estimate;

        row->round_trip.floor = comparison_floor(COMPARISON_SAME_ROUNDS, COMPARISON_ROUND_TRIP,
                                                 round_trip_ns, result->noise_floor_ns);
        parts[count++] = &row->round_trip;
        if (row->has_cost) {
            parts[count] = row->has_parts ? &row->server : &row->above_null;
            parts[count++]->floor = comparison_floor(COMPARISON_SAME_ROUNDS, COMPARISON_COST,
                                                     round_trip_ns, result->noise_floor_ns);
        }
    }
    return count;
}

static int judge_rows(struct versus_result *result, struct error *error)
{
    struct versus_part **parts = calloc(2 * result->count + 1, sizeof *parts);
    struct comparison **comparisons = calloc(2 * result->count + 1, sizeof *comparisons);
    size_t count = 0;
    int code = parts && comparisons ? 0 : -ENOMEM;

    if (code == 0)
        count = collect_parts(result, parts);
    else
        error_set(error, ERROR_FAILED, code, "out of memory");
    for (size_t i = 0; i < count; i++)
        comparisons[i] = &parts[i]->comparison;
    comparison_adjust(comparisons, count);
    for (size_t i = 0; i < count; i++) {
        parts[i]->judged = true;
        parts[i]->word = comparison_judge(&parts[i]->comparison, parts[i]->floor);
    }
    free(parts);
    free(comparisons);
    return code;
}

/* Both results have the same ops in the same order; the control is not one of them. */
static int pair_up(struct versus_result *result, struct error *error)
{
    result->rows = calloc(result->first->op_count, sizeof *result->rows);
    if (!result->rows)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < result->first->op_count; i++)
        if (&result->first->ops[i] != result->first->null_control)
            result->rows[result->count++] = (struct versus_row){.first = &result->first->ops[i],
                                                                .second = &result->second->ops[i]};
    return 0;
}

int versus_compare(struct versus_result *result, const struct outcome outcomes[SIDES],
                   struct error *error)
{
    struct work *work = malloc(sizeof *work);
    int code;

    *result = (struct versus_result){.first = &outcomes[SIDE_FIRST].result,
                                     .second = &outcomes[SIDE_SECOND].result};
    code = work ? pair_up(result, error) : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code == 0) {
        work->result = result;
        work->first = &outcomes[SIDE_FIRST].costs;
        work->second = &outcomes[SIDE_SECOND].costs;
        work->resampling = outcomes[SIDE_FIRST].costs.resampling;
        work->error = error;
        estimate_control(work);
    }
    for (size_t i = 0; i < result->count && code == 0; i++)
        code = estimate_row(work, &result->rows[i]);
    free(work);
    return code ? code : judge_rows(result, error);
}
