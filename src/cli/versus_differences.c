/* What differs between two sides of the same rounds: from their results to the comparison. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/versus.h"
#include "measure/paired.h"

#define SIGNIFICANT 0.05 /* an adjusted p below is no chance */

/* Round trips to two processes that do the same differ by as much of a round trip, whatever the
 * intervals say, and their costs above null by as much (measured: doc/METHOD.md). */
#define ROUND_TRIP_FLOOR 0.03
#define COST_FLOOR       0.005

static int lengthen(size_t *longest, const struct series *one, const struct series *other, size_t n,
                    struct error *error)
{
    size_t length;
    int code = above_null_block_length(one, other, n, &length, error);

    if (code == 0 && length > *longest)
        *longest = length;
    return code;
}

/* One resampling for both sides, as long as the most dependent differences ask for: within a side,
 * and between the two. */
int versus_block_length(const struct versus *versus, size_t *length, struct error *error)
{
    const struct session *first = &versus->sessions[SIDE_FIRST];
    size_t n = versus->rounds.done;
    int code = 0;

    *length = 1;
    for (size_t side = 0; side < SIDES; side++) {
        const struct session *session = &versus->sessions[side];
        const struct series *series = session->rounds.series;

        for (size_t i = 0; i < session->series_count && code == 0; i++) {
            if (session->series[i].role > SERIES_OP)
                continue;
            if (!session->settings->no_baseline)
                code = lengthen(length, &series[i], &series[session->series[i].baseline], n, error);
            if (code == 0 && session->series[i].role != SERIES_CONTROL)
                code = lengthen(length, &series[i], &first->rounds.series[i], n, error);
        }
    }
    return code;
}

/* Estimating */

struct work {
    struct versus_result *result;
    struct resampling resampling;
    struct paired network, cost, part; /* of the present op; too large for the stack */
    struct error *error;
};

static int estimate_network(struct work *work, const struct versus_row *row)
{
    const struct versus_result *result = work->result;

    return paired_levels(&work->network, result->first->ops[row->first->baseline].series,
                         result->second->ops[row->second->baseline].series, &work->resampling,
                         work->error);
}

static void compare_part(struct work *work, struct versus_part *part,
                         const struct replicates *first, const struct replicates *second)
{
    paired_costs(&work->part, first, second);
    paired_compare(&work->part, &part->comparison);
}

static void estimate_parts(struct work *work, struct versus_row *row)
{
    const struct result_op *first = row->first, *second = row->second;

    row->has_parts = first->has_split && second->has_split;
    if (!row->has_parts)
        return;
    compare_part(work, &row->bytes, &first->split.replicates.bytes,
                 &second->split.replicates.bytes);
    compare_part(work, &row->pace, &first->split.replicates.pace, &second->split.replicates.pace);
    compare_part(work, &row->server, &first->split.replicates.server,
                 &second->split.replicates.server);
}

/* The round trip is the sum of its parts, so that what is told adds up. */
static int estimate_cost(struct work *work, struct versus_row *row)
{
    int code = estimate_network(work, row);

    if (code)
        return code;
    paired_compare(&work->network, &row->network.comparison);
    paired_costs(&work->cost, &row->first->above_null.cost_replicates,
                 &row->second->above_null.cost_replicates);
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
    code = paired_levels(&work->network, row->first->series, row->second->series, &work->resampling,
                         work->error);
    if (code == 0)
        paired_compare(&work->network, &row->round_trip.comparison);
    return code;
}

static void estimate_control(struct work *work)
{
    struct versus_result *result = work->result;
    const struct interval *difference = &result->control.difference;

    result->has_control = result->first->config.baseline;
    if (!result->has_control)
        return;
    paired_costs(&work->part, &result->first->ops[1].above_null.cost_replicates,
                 &result->second->ops[1].above_null.cost_replicates);
    paired_compare(&work->part, &result->control);
    result->noise_floor_ns = fmax(fabs(difference->low), fabs(difference->high));
}

/* Judging: of each op the round trip, and what is the server's of it. */

static void judge(struct versus_part *part)
{
    const struct comparison *comparison = &part->comparison;
    double difference = comparison->difference.estimate;

    if (comparison->adjusted_p >= SIGNIFICANT || fabs(difference) <= part->floor)
        part->word = COMPARE_SAME;
    else
        part->word = difference > 0 ? COMPARE_SLOWER : COMPARE_FASTER;
}

static size_t collect_parts(struct versus_result *result, struct versus_part **parts)
{
    size_t count = 0;

    for (size_t i = 0; i < result->count; i++) {
        struct versus_row *row = &result->rows[i];
        double round_trip_ns = row->round_trip.comparison.first.estimate;

        row->round_trip.floor = fmax(result->noise_floor_ns, ROUND_TRIP_FLOOR * round_trip_ns);
        parts[count++] = &row->round_trip;
        if (row->has_cost) {
            parts[count] = row->has_parts ? &row->server : &row->above_null;
            parts[count++]->floor = fmax(result->noise_floor_ns, COST_FLOOR * round_trip_ns);
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
        judge(parts[i]);
    }
    free(parts);
    free(comparisons);
    return code;
}

/* Both results have the same ops in the same order; the control is none. */
static int pair_up(struct versus_result *result, struct error *error)
{
    result->rows = calloc(result->first->op_count, sizeof *result->rows);
    if (!result->rows)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < result->first->op_count; i++)
        if (strcmp(result->first->ops[i].op, "null_control") != 0)
            result->rows[result->count++] = (struct versus_row){.first = &result->first->ops[i],
                                                                .second = &result->second->ops[i]};
    return 0;
}

int versus_compare(struct versus_result *result, const struct result results[SIDES],
                   struct error *error)
{
    struct work *work = malloc(sizeof *work);
    int code;

    *result =
        (struct versus_result){.first = &results[SIDE_FIRST], .second = &results[SIDE_SECOND]};
    code = work ? pair_up(result, error) : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code == 0) {
        work->result = result;
        work->resampling = results[SIDE_FIRST].resampling;
        work->error = error;
        estimate_control(work);
    }
    for (size_t i = 0; i < result->count && code == 0; i++)
        code = estimate_row(work, &result->rows[i]);
    free(work);
    return code ? code : judge_rows(result, error);
}
